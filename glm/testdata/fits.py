# Writes testdata: small data sets of statsmodels as CSV files, and its fits as JSON. Needs statsmodels 0.14 or later.
import json, os
import numpy as np, pandas as pd, statsmodels, statsmodels.api as sm

here = os.path.dirname(os.path.abspath(__file__))
d, f = sm.datasets, sm.families
fits = []
def fit(name, family, link, exog, endog, model, offset=None):
    table = pd.concat([endog.rename("target"), exog], axis=1)
    table.to_csv(os.path.join(here, name + ".csv"), index=False)
    off = None
    if offset:
        off, exog = exog[offset], exog.drop(columns=offset)
    r = sm.GLM(endog, sm.add_constant(exog, has_constant="add"), family=model, offset=off).fit(tol=1e-13, maxiter=200)
    fits.append(dict(data=name, offset=offset, family=family, link=link, features=list(exog.columns), coefficients=list(r.params), errors=list(r.bse),
        z=list(r.tvalues), p=list(r.pvalues), deviance=r.deviance, dispersion=r.scale))
for name, family, link, model in [("longley", "gaussian", "identity", f.Gaussian()), ("stackloss", "gaussian", "identity", f.Gaussian()),
        ("spector", "binomial", "logit", f.Binomial()), ("cpunish", "poisson", "log", f.Poisson()),
        ("scotland", "gamma", "inverse", f.Gamma()), ("scotland", "gamma", "log", f.Gamma(f.links.Log()))]:
    s = getattr(d, name).load_pandas()
    fit(name, family, link, s.exog, s.endog, model)
for name, family, link, model, offset in [("cpunish", "poisson", "log", f.Poisson(), "SOUTH"), ("spector", "binomial", "logit", f.Binomial(), "PSI"),
        ("cpunish", "gamma", "log", f.Gamma(f.links.Log()), "DEGREE")]:
    s = getattr(d, name).load_pandas()
    fit(name, family, link, s.exog, s.endog, model, offset)
json.dump(dict(statsmodels=statsmodels.__version__, fits=fits), open(os.path.join(here, "fits.json"), "w"), indent=1)
