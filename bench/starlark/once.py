# Times run() of one program in CPython: python3 once.py FILE ROUNDS -> {"ms", "result"}
import json as json_library
import sys
import time


class json:
    @staticmethod
    def encode(value):
        return json_library.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)

    @staticmethod
    def decode(text):
        return json_library.loads(text)


if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
with open(sys.argv[1], encoding="utf-8") as file:
    source = file.read()
names = {"json": json}
exec(compile(source, sys.argv[1], "exec"), names)
best = None
for _ in range(int(sys.argv[2])):
    before = time.process_time()
    result = names["run"]()
    spent = (time.process_time() - before) * 1000
    best = spent if best is None else min(best, spent)
print(json_library.dumps({"ms": best, "result": result}))
