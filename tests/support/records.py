"""Records for tests: a finished game, an open one, one with its first move off the board, and records of servers."""

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
# The header of 2025, without names of their own for date and players.
GIB_2025 = r"""\HS
\[GAMEINFOMAIN=GBKIND:3,GTYPE:0,GCDT:0,GTIME:600-20-3,GRLT:3,ZIPSU:0,DUM:0,GONGJE:65,TCNT:4,LINE:19,AUSZ:0\]
\[GAMEINFOSUB=GNAMEF:0,GPLCF:0,GNAME:club game,GDATE:2025-02-03-10-11-12,GPLC:here,GCMT:\]
\[WUSERINFO=WID:anna,WLV:20,WNICK:anna,WNCD:2,WAID:1,WIMG:\]
\[BUSERINFO=BID:bert,BLV:12,BNICK:bert,BNCD:3,BAID:1,BIMG:\]
\[GAMETAG=S0,R0,D0,G65,W3,Z0,T20-3-600,C2025-02-04-10-11-12,I:anna,L:20,M:bert,N:12,A:anna,B:bert,J:2,K:3\]
\HE
\GS
2 1 0
INI 0 1 0 &4
STO 0 2 1 15 3
STO 0 3 2 3 15
\GE
"""
# As Sina writes it, each line of the header with a mark.
NGF_OF_SINA = """GI杯赛决赛
GI古力 初段
GI柯洁 五段
GI
GI
GI2006-9-5
GI19
GI0
GI0
GI6
GI3
PMABBQEEQ
PMACWEQQE
PMADBAAAA
GI1
IDB[3] 黑中盘胜(现场消息)[EndTxt]
"""
UGF = """[Header]
Ver=UGF3,200
Lang=SJIS
Crypt=0,PLAIN_UGF_FILE,READ_WRITE
Title=第46期,棋聖戦,
Place=PANDA-NET
Date=2020/01/02,10:00:00
Rule=JPN
Size=19
Hdcp=0,6.50
Winner=B,7.50
Moves=5
CoordinateType=IGS
PlayerB=加藤ソ,2k,,
PlayerW=表貼,9-dan,,
[Data]
QP,B1,1,0
DP,W1,2,0
PD,B2,3,0 '00:03:35
DD,W1,4,0
YA,B1,5,0
[ReviewNode]
NODE,1,0,0,0
NODE,2,1,17,16
"""
