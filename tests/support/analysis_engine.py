"""A program that speaks the analysis protocol, well or badly, and writes down its queries."""

# Answers in reverse order: the first stone's point is Black's, the lead is the number of moves.
ENGINE = """
import json, os, sys
mode, log = sys.argv[1], open(sys.argv[2], "a")
print("Started", file=sys.stderr, flush=True)
waiting = []
for count, line in enumerate(sys.stdin, 1):
    query = json.loads(line)
    log.write(line)
    log.flush()
    if mode == "crash" and count == int(sys.argv[3]):
        sys.exit("out of memory")
    if mode == "silent":
        continue
    if mode == "garbage":
        print("loading...", flush=True)
    points = query["boardXSize"] ** 2
    answer = {"id": query["id"], "isDuringSearch": False, "turnNumber": 0,
              "ownership": [1.0] + [-0.5] * (points - 1), "policy": [-1.0] + [1 / points] * points,
              "rootInfo": {"scoreLead": len(query["moves"]), "winrate": 0.75, "scoreStdev": 3.0}}
    if mode == "short":
        answer["ownership"].pop()
    if mode == "nan":
        answer["rootInfo"]["scoreLead"] = float("nan")
    if mode == "refuse" and not query["moves"] or mode == "refuse all":
        answer = {"id": query["id"], "error": "too odd", "field": "moves"}
    print(json.dumps({"id": query["id"], "warning": "hot", "field": "komi"}), flush=True)
    print(json.dumps(answer | {"isDuringSearch": True, "ownership": None} if "error" not in answer else {"id": "x"}))
    waiting.append(answer)
    if len(waiting) == 2 or count > 2:
        for each in reversed(waiting):
            print(json.dumps(each), flush=True)
        waiting = []
"""
