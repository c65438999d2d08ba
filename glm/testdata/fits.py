# Writes testdata: small data sets of statsmodels as CSV files, and its fits as JSON. Needs statsmodels 0.14 or later.
import json, os
import numpy as np, pandas as pd, statsmodels, statsmodels.api as sm
from scipy import stats

here = os.path.dirname(os.path.abspath(__file__))
d, f = sm.datasets, sm.families
fits = []
def fit(name, family, link, exog, endog, model, offset=None, weights=None, l2=0, l1=0, data=None):
    table = pd.concat([endog.rename("target"), exog], axis=1)
    table.to_csv(os.path.join(here, (data or name) + ".csv"), index=False)
    off = None
    if offset:
        off, exog = exog[offset], exog.drop(columns=offset)
    w = None
    if weights:
        w, exog = exog[weights], exog.drop(columns=weights)
    m = sm.GLM(endog, sm.add_constant(exog, has_constant="add"), family=model, offset=off, var_weights=w)
    r = m.fit(tol=1e-13, maxiter=300)
    b, se, z, p, deviance, scale = r.params, r.bse, r.tvalues, r.pvalues, r.deviance, r.scale
    one = dict(data=data or name, offset=offset, weights=weights, family=family, link=link, features=list(exog.columns), l2=l2, l1=l1,
        power=getattr(model, "var_power", 0) or 0, alpha=getattr(model, "alpha", 0) or 0)
    if l1:  # on standardised features, by proximal steps in full precision, and mapped back
        mean, sd = exog.mean(), exog.std(ddof=0)
        x = sm.add_constant((exog - mean) / sd).to_numpy()
        penalised = np.r_[0, np.ones(exog.shape[1])]
        rough = sm.GLM(endog, x, family=model).fit_regularized(alpha=(l1 + l2) * penalised, L1_wt=l1 / (l1 + l2), maxiter=500, cnvrg_tol=1e-9).params
        beta = np.r_[model.link(endog.mean()), np.zeros(exog.shape[1])]
        def smooth(v):
            mu = model.link.inverse(x @ v)
            return -x.T @ ((endog - mu) / model.variance(mu) / model.link.deriv(mu)) / len(x) + l2 * penalised * v, mu
        for _ in range(300):  # quadratic models, each minimised by steps of one coefficient after another
            g, mu = smooth(beta)
            a = x.T @ (1 / np.asarray(model.variance(mu) * model.link.deriv(mu) ** 2)[:, None] * x) / len(x) + np.diag(l2 * penalised)
            z = beta.copy()
            for _ in range(200):
                for j in range(len(z)):
                    u = z[j] - (g + a @ (z - beta))[j] / a[j, j]
                    z[j] = np.sign(u) * max(abs(u) - l1 * penalised[j] / a[j, j], 0)
            if np.abs(z - beta).max() < 1e-12:
                break
            beta = z
        if family != "gaussian":  # statsmodels' log-likelihood of a Gaussian has the scale of the residuals
            assert np.abs(beta - rough).max() < 2e-3, (beta, rough)
        t = np.diag(np.r_[1, 1 / sd])
        t[0, 1:] = -(mean / sd)
        b, mu = t @ beta, model.link.inverse(x @ beta)
        deviance, scale = model.deviance(endog, mu), 1.0
        if family == "gaussian":
            scale = deviance / (len(x) - x.shape[1])
        se = z = p = []
    elif l2:  # on standardised features, and mapped back
        mean, sd = exog.mean(), exog.std(ddof=0)
        x = sm.add_constant((exog - mean) / sd).to_numpy()
        penalty = np.r_[0, np.full(exog.shape[1], l2)]
        beta = sm.GLM(endog, x, family=model).fit_regularized(alpha=penalty, L1_wt=0).params
        rough = beta.copy()
        for _ in range(20):  # its minimum is found to 1e-5 only
            mu = model.link.inverse(x @ beta)
            n, weight = len(x), 1 / (model.variance(mu) * model.link.deriv(mu) ** 2)
            a = x.T @ (weight[:, None] * x) / n
            v = np.linalg.inv(a + np.diag(penalty))
            beta = beta + v @ (x.T @ ((endog - mu) * weight * model.link.deriv(mu)) / n - penalty * beta)
        assert np.abs(beta - rough).max() < 1e-3
        t = np.diag(np.r_[1, 1 / sd])
        t[0, 1:] = -(mean / sd)
        b, cov = t @ beta, t @ (v @ a @ v) @ t.T / n
        se = np.sqrt(np.diag(cov))
        z, deviance, scale = b / se, model.deviance(endog, mu), 1.0
        p = 2 * stats.norm.sf(np.abs(z))
    fits.append(dict(one, coefficients=list(b), errors=list(se), z=list(z), p=list(p), deviance=deviance, dispersion=scale))
    if not l2 and not l1 and not weights and family != "tweedie":
        fits[-1] |= dict(llf=r.llf, aic=r.aic)
    if not offset and not weights:
        fits[-1] |= dict(null=r.null_deviance)

link = f.links
for name, family, ln, model in [("longley", "gaussian", "identity", f.Gaussian()), ("stackloss", "gaussian", "identity", f.Gaussian()),
        ("spector", "binomial", "logit", f.Binomial()), ("cpunish", "poisson", "log", f.Poisson()),
        ("scotland", "gamma", "inverse", f.Gamma()), ("scotland", "gamma", "log", f.Gamma(link.Log())),
        ("stackloss", "gaussian", "log", f.Gaussian(link.Log())), ("stackloss", "gaussian", "inverse", f.Gaussian(link.InversePower())),
        ("scotland", "poisson", "identity", f.Poisson(link.Identity())), ("scotland", "gamma", "identity", f.Gamma(link.Identity())),
        ("cpunish", "tweedie", "log", f.Tweedie(link.Log(), var_power=1.5)), ("scotland", "tweedie", "log", f.Tweedie(link.Log(), var_power=1.2)),
        ("cpunish", "negative_binomial", "log", f.NegativeBinomial(link.Log(), alpha=1.0)),
        ("cpunish", "negative_binomial", "log", f.NegativeBinomial(link.Log(), alpha=0.25))]:
    s = getattr(d, name).load_pandas()
    fit(name, family, ln, s.exog, s.endog, model)
for name, family, ln, model, offset in [("cpunish", "poisson", "log", f.Poisson(), "SOUTH"), ("spector", "binomial", "logit", f.Binomial(), "PSI"),
        ("cpunish", "gamma", "log", f.Gamma(link.Log()), "DEGREE")]:
    s = getattr(d, name).load_pandas()
    fit(name, family, ln, s.exog, s.endog, model, offset)
s = d.star98.load_pandas()  # proportions of so many pupils
trials = s.endog.sum(axis=1)
fit("star98", "binomial", "logit", pd.concat([trials.rename("TRIALS"), s.exog], axis=1), s.endog.iloc[:, 0] / trials, f.Binomial(), weights="TRIALS")
for family, ln, model in [("gaussian", "identity", f.Gaussian()), ("gamma", "log", f.Gamma(link.Log())), ("poisson", "log", f.Poisson())]:
    s = d.scotland.load_pandas()
    fit("scotland", family, ln, s.exog, s.endog, model, weights="UNEMPF" if "UNEMPF" in s.exog else s.exog.columns[1])
for name, family, ln, model in [("cpunish", "poisson", "log", f.Poisson()), ("spector", "binomial", "logit", f.Binomial())]:
    s = getattr(d, name).load_pandas()
    fit(name, family, ln, s.exog, s.endog, model, l2=0.1)
for name, family, ln, model, l1, l2 in [("cpunish", "poisson", "log", f.Poisson(), 0.2, 0.1), ("spector", "binomial", "logit", f.Binomial(), 0.05, 0),
        ("stackloss", "gaussian", "identity", f.Gaussian(), 2.0, 0)]:
    s = getattr(d, name).load_pandas()
    fit(name, family, ln, s.exog, s.endog, model, l1=l1, l2=l2)
json.dump(dict(statsmodels=statsmodels.__version__, fits=fits), open(os.path.join(here, "fits.json"), "w"), indent=1)
