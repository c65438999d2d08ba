"""Prints the AUC that XGBoost's trees have on the rows of TestXGBoost, on the same bins.

    pip install xgboost==3.2.0 numpy
    TACET_TEST_GBT_EXPORT=bins.csv go test ./gbt -run TestXGBoost
    python gbt/testdata/reference.py bins.csv 1 5

The file has the bins of all features, and the target in its last column; numbers of trees follow. The exact method splits between any two bins.
"""

import sys

import numpy as np
import xgboost

data = np.loadtxt(sys.argv[1], delimiter=",")
x, y = data[:, :-1], data[:, -1]
settings = {
    "objective": "binary:logistic", "tree_method": "exact", "max_depth": 5, "eta": 0.3, "lambda": 1, "min_child_weight": 1, "base_score": 0.5,
}
for trees in map(int, sys.argv[2:]):
    score = xgboost.train(settings, xgboost.DMatrix(x, y), trees).predict(xgboost.DMatrix(x))
    order = np.argsort(score, kind="stable")
    ranks = np.empty(len(y))
    ranks[order] = np.arange(1, len(y) + 1)
    for value in np.unique(score):  # ties have their mean rank
        ranks[score == value] = ranks[score == value].mean()
    positive = y.sum()
    print(trees, "%.5f" % ((ranks[y == 1].sum() - positive * (positive + 1) / 2) / positive / (len(y) - positive)))
