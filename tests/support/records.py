"""Records for tests of commands: a finished game, an open one, and one with a move outside the board."""

FINISHED = b"""(;GM[1]SZ[9]KM[6.5]RU[Japanese]PB[An]BR[3d]PW[Bo]RE[B+6.5]
;B[ee];W[ec];B[fc];W[eb];B[fb];W[dd];B[fd];W[ed];B[fe];W[de];B[df];W[cf];B[dg];W[cg];B[ch];W[bh]
;B[dh];W[ce];B[ea];W[da];B[fa];W[ci];B[di];W[bi];B[];W[])"""
OPEN = b"(;GM[1]SZ[9]KM[5.5];B[ee];W[cc];B[gc];W[cg];B[gg])"
BAD = b"(;GM[1]SZ[9];B[ee];W[jk])"
