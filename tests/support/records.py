"""Records for tests: a finished game, an open one, one with its first move off the board, and those of servers."""

FINISHED = b"""(;GM[1]SZ[9]KM[6.5]RU[Japanese]PB[An]BR[3d]PW[Bo]RE[B+6.5]
;B[ee];W[ec];B[fc];W[eb];B[fb];W[dd];B[fd];W[ed];B[fe];W[de];B[df];W[cf];B[dg];W[cg];B[ch];W[bh]
;B[dh];W[ce];B[ea];W[da];B[fa];W[ci];B[di];W[bi];B[];W[])"""
OPEN = b"(;GM[1]SZ[9]KM[5.5];B[ee];W[cc];B[gc];W[cg];B[gg])"
BAD = b"(;GM[1]SZ[9];B[jk])"
# Every field of the two headers that is read, with names of our own.
GIB = r"""\HS
\[GIBOKIND=China\]
\[GAMERESULT=\]
\[GAMENAME=升段赛\]
\[GAMEDATE=2016- 3-26-17-29-25\]
\[GAMEWHITENAME=白石 (3段)\]
\[GAMEBLACKNAME=黑木(2段)\]
\[GAMEINFOMAIN=GBKIND:5,GTYPE:0,GRLT:1,ZIPSU:105,DUM:0,GONGJE:65,TCNT:4\]
\[GAMETAG=S1,R5,D0,G0,W1,Z110,T20-1-0,C2016:03:26:17:29\]
\HE
\GS
2 1 0
INI 0 1 0 &4
STO 0 2 1 15 3
STO 0 3 2 3 15
SKI 0 4 1
STO 0 5 2 18 18
\GE
"""
NGF = """Rated game
19
Smith       9DP
Jones       5D*
www.cyberoro.com
0
0
7
20170316 [09:37]
5
White wins by 2.5!
3
PMABBQEEQ
PMACWEQQE
PMADBAAAA
"""
