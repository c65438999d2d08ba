"""Writes telematics.csv (alice, a car maker) and policies.csv (bob, an insurer): synthetic drivers, of whom 500 are in both files.

    python3 make.py

Claims are Poisson with log rate -1.6 + 0.03·km/1000 + 2·night − 0.02·(age − 45) + 0.5·(region is city) − 0.1·years."""
import csv, math, random

r = random.Random(20261123)
drivers = []
for i in range(900):
    d = {"id": f"D{r.randrange(10**6):06d}", "age": r.randint(18, 80), "km": round(r.gauss(14000, 5000)), "night": round(r.random() * 0.4, 3),
         "region": r.choice(["city", "country", "suburb"]), "years": r.randint(0, 15)}
    d["km"] = max(1000, d["km"])
    rate = math.exp(-1.6 + 0.03 * d["km"] / 1000 + 2 * d["night"] - 0.02 * (d["age"] - 45) + 0.5 * (d["region"] == "city") - 0.1 * d["years"])
    n, left = 0, r.expovariate(1)
    while left < rate:
        n, left = n + 1, left + r.expovariate(1)
    d |= {"claims": n, "any": int(n > 0), "premium": round(200 + 900 * rate + r.gauss(0, 40), 2)}
    drivers.append(d)
drivers = list({d["id"]: d for d in drivers}.values())


def write(name, columns, rows):
    rows = rows[:]
    r.shuffle(rows)
    with open(name, "w", newline="") as f:
        w = csv.DictWriter(f, columns, extrasaction="ignore", lineterminator="\n")
        w.writeheader()
        w.writerows(rows)


write("telematics.csv", ["id", "age", "km", "night", "region"], drivers[:700])
write("policies.csv", ["id", "years", "premium", "claims", "any"], drivers[200:])
