// Package glm fits generalised linear models on tables whose columns several parties own.
//
//	m := &glm.Model{Family: glm.Poisson, Link: glm.Log, Parties: []glm.Party{{"alice", alice}, {"bob", bob}}, Target: claims}
//	spec, err := m.Spec()
//	out, err := tacet.Run(ctx, spec)
//	fit, err := m.Fit(out.Results)
//
// # The program
//
// Program writes a StableHLO program that fits the model by Fisher scoring (IRLS). Each owner standardises its
// features alone, so that the weighted Hessian A = XᵀWX/n is well scaled; the intercept is a column of ones. The
// target's owner computes the first weights and the first working response alone, from the usual starting
// values, and every further iteration adds V·Xᵀr/n to the coefficients, where r is the score with respect to
// the linear predictor and V the inverse of A: an error of V only slows the convergence.
//
// V is computed by Newton–Schulz iterations of the Hessian scaled to a diagonal of ones. Their number and
// factors follow from the number of features and from Condition, the declared bound of the scaled Hessian's
// condition number κ: V ← g·V(2I − T) and T ← g·T(2I − T) side by side, where T is S·V but for roundings, and g is near 2 as long
// as T's smallest eigenvalue is small. Each such step multiplies it by almost 4, a plain one by 2. The last step computes S·V
// anew, which squares what roundings have made of the difference.
// If κ is larger, V and the standard errors are too small, and Result.Inverted is false.
//
// The map from standardised features to those of the tables is part of the program: a slope and its standard
// error are divided by the feature's standard deviation, and the intercept is u·β with u = (1, −mean/sd).
// A Gaussian target with link identity is centred and scaled by its owner, other Gaussian ones, Gamma and Tweedie targets are
// scaled, and the results are scaled back.
//
// Prior weights, divided by their mean at their owner, multiply scores and weights of all iterations. The penalty of L2 is
// added to the Hessian and to the gradient of standardised features. Standard errors are then those of V·A·V, where A has no
// penalty and V is the inverse of the penalised A: they say how coefficients vary, not how far the penalty moves them.
//
// A model with L1 needs no inverse and has no standard errors: each iteration minimises the quadratic model of the loss plus the
// penalty by accelerated proximal steps (FISTA), in which a coefficient is compared with its threshold.
// Such a step takes about 15 rounds, so that a fit takes some 3,000.
//
// # Stacked tables
//
// Of a Stacked each party has all columns, of other rows. It standardises its own rows by their mean m and standard deviation s. The means
// M and deviations S of all rows are computed on shares from these, and rows are mapped to them: z·s/S + (m − M)/S, one product an
// element. M and S are not revealed. A target that has a unit (of a family with a dispersion) is divided by the mean of all, or for the
// Gaussian identity link standardised as features are, and is shared: what its owner computes alone of other targets, such as first
// weights, is computed on shares. The deviance without features is not revealed.
//
// Parties beside stacked tables (Shape.Stacked) have further columns of all rows, which they standardise as without stacked tables; the
// target, the offset or the weights may be theirs.
//
// # Hidden joins
//
// With Hidden, the rows are one party's, their weights of 1 and 0 are shares, and so are the columns of the other party (package
// psi). The weights multiply scores and weights as prior weights do, and a dispersion is divided by the number of rows that match
// less the coefficients. Owners standardise by all of their rows. A target that comes as shares has logarithms of the first
// iteration and of its deviance computed on shares. Of a left join all rows count, and whether a row matches is a further
// feature; without it statistics of the target alone are not revealed, as no party knows its rows, and a Gaussian dispersion and
// deviance tell the number of rows that match, which Outputs lists.
//
// # Long tables
//
// With fewer Hessians than Iterations, such as 3 of 12 for tables of many rows, the Hessian is computed in
// the first iterations and in the last one only. Between them each iteration uses an early inverse, whose
// error slows the convergence by a factor of about |1 − w/w0| an iteration, where w are weights and w0 those of the
// inverse. For binomial, Poisson and negative binomial targets the first ones are the mean of a term of the target and one of all
// rows, so that w is below twice the expected w0 and the factor below 1; those of the second iteration are near w. The last iteration
// is one of Fisher scoring again, with the standard errors of its weights. Its inverse begins with the early one, from which it takes 7
// steps instead of 17 for 76 features.
//
// If there are three Hessians or more, at least 1,600 rows for each coefficient and 32,768 in all, all Hessians but the last one, and the
// first coefficients, are those of one of k rows, of some 800 or more for each coefficient and 16,384 in all. Which rows these are is
// public and depends on k alone. Gradients are those of all rows.
//
// These Hessians are sums of integers in Z_2^64: features, which their owners round to 9 to 16 fraction bits, and weights,
// in units of the mean of the first ones and with 11 to 16. Products W∘X are exact, so that they are opened as 8 bytes instead of 16 and
// nothing is truncated before the sum. In the first iteration the target's owner's own block is local, and only the other
// features are weighted on shares. Coefficients of a fit that converges do not depend on this rounding. Standard errors do: by the
// condition number times 2^-21 or less, and by 2^-12 or less divided by a weight's size in these units, for a feature all of whose rows
// have small weights. Sums fit as long as no feature is more than 32 standard deviations from its mean, which its owner checks (a level
// in fewer than one of 1,000 rows is farther), and the mean weight has not grown 16-fold since the first iteration.
//
// Of 32,768 rows or more, features of binomial and Poisson targets with links logit and log, without weights, are shared as such integers
// only. They have 13 fraction bits then, and the whole fit is one of rounded features: linear predictors are products with
// coefficients that are rounded to 2^-14/√n or nearer, from which the next step goes on, and gradients are products with scores of 10 to 19
// fraction bits. Sums of weighted products are taken over 2,048 rows at a time, that are spread evenly over the table. The rounding
// moves a coefficient by some 2^-15·√κ·|β| of its standard error. Predictors of Poisson models are clamped in the iterations
// of early Hessians alone. Exponentials of predictors beyond 128 in magnitude, or from 32 on for Poisson, are
// arbitrary. So Result.Converged is false if a predictor of the resulting coefficients is beyond some 7/8 of that, a
// coefficient is large, the last step moves predictors by 1 or more, or scores and weights of the last iteration are too
// large for the sums of integers (writer.strayed). What an earlier iteration lost in this way does not matter: the last
// one computes its gradient, and with two Hessians or more its Hessian, anew. The products of weights and the features of the target's
// owner are not opened (docs/protocols/arithmetic.md#weighted-squares).
//
// # Wide tables
//
// With SGD, for hundreds of columns and more, a binomial or Gaussian model is fitted by minibatch stochastic gradient descent: no
// Hessian and no standard errors. Each step takes the next Batch rows and adds −Rate·(Xᵀ(μ − y)/Batch + L2·β) to the coefficients β of
// features in their owners' units, from 0. Rows are taken in an order that depends on their number alone: the i-th is i·k modulo that
// number, where k is near 0.618 of it. Rows at the end that fill no batch make a smaller one.
//
// A step's gradient is that of the coefficients without the move of the step before: β(t+1) = β(t) + m(t−1), where m(t) is the move
// that the rows of step t give at β(t). Two steps' rounds run side by side, so that a step takes two rounds instead of four. A step's
// four openings follow from each other: the coefficients, the linear predictors, the scores, and the sums that enter a wider ring. An
// opening that did the work of two of them would need correlations as large as the features. Fits need a smaller rate: with h the largest
// eigenvalue of the Hessian per row (at most a quarter of that of the features' correlations for binomial models), Rate·h must be below 1
// instead of 2.
//
// Features are integers, rounded by their owners, of 12 fraction bits (8 with Bits 12), below 8 units in magnitude: a unit is the
// standard deviation, or an eighth of the largest distance from the mean. They are shared once, in Z_2^32 (Z_2^24): 4 bytes (3) an
// element, whatever the number of epochs. Coefficients are kept with some 45 fraction bits in Z_2^64. A step opens them, rounded to 14
// bits (10), the linear predictors, the scores μ − y, rounded to 7 bits (3), and the sums of features times scores over blocks of 512
// rows, which enter Z_2^64. The roundings of secrets are random, with mean zero. The sigmoid is one table whose period,
// 64, is the ring's size, so that the open predictor is a phase. Owners double a feature's unit until its sums over blocks fit,
// whatever the scores are.
//
// Converged says that the last epoch moved the coefficients by less than 5 % of their length, and that numbers fit: linear predictors
// of all rows, by rounded coefficients, are in ±24 or so (some up to 28 count as well), and those of Gaussian models at most 12 to 16
// standard deviations of the target from it. If coefficients have settled and predictors fit, the gradient is near 0, so that what did
// not fit in an earlier step does not matter.
//
// # Conjugate gradients
//
// With CG, for a hundred columns and more, each iteration of Fisher scoring solves A·x = Xᵀr/n by CG.Steps steps of conjugate gradients
// (Hestenes and Stiefel, Methods of Conjugate Gradients for Solving Linear Systems, 1952, §3) from x = 0, instead of by an inverse of the
// Hessian A (p × p). A is never computed: a step takes the products X·d (n elements) and Xᵀ(W·(X·d)) (p elements) for a direction d of
// p elements. All families, links, joins, offsets, weights and l2 are possible; there are no standard errors, since they need the
// inverse, and no l1. Up to 9,999 features instead of 999.
//
// Residual and direction are kept at length near 1, and what they were divided by beside them (writer.solve), as both shrink by more
// orders of magnitude than fixed point has. With 40 fraction bits, coefficients are within 3e-6 of statsmodels', in the larger of
// themselves and their standard errors, for the data sets of the tests. Each iteration begins anew from its gradient, so that steps left
// out cost iterations, not accuracy: the error that an iteration leaves falls in each step by a factor of about (√κ − 1)/(√κ + 1) or
// less, where κ is the condition number of A in units of the mean weight (not of the scaled Hessian: the diagonal is near 1, but not 1).
//
// Converged says that the last step is below 10^-3 standard errors, as of other fits, and that the last residual is so small that the step
// of an exact solution is below that too, if the smallest eigenvalue of A is at least the mean weight divided by Condition. It is false
// if there are too few steps. Nothing warns of features that determine each other: coefficients are then those of one of many equal fits.
//
// # What is revealed
//
// The results of the program, Outputs, and nothing else: coefficients, standard errors but with CG and L1, deviance, the
// dispersion where the family has one, and two bits, whether the iterations have converged and whether the
// inverse is accurate. Of the target alone, without weights, they are the deviance of the model without features, unless there
// is an offset, and the part of the log-likelihood that the deviance does not determine (Poisson, Gamma, NegativeBinomial). z,
// p-values, confidence intervals, log-likelihood and AIC follow from these. The numbers of rows and of
// features of each owner are public, and so are names of features and of levels that Fit prints.
//
// # Costs
//
// All values are in a ring of 128 bits with 40 fraction bits, since the inverse of a Hessian with condition
// number 10^6 needs 37. An iteration that computes the Hessian opens the weighted rows: each party sends 16 bytes for each
// element of X, or 8 if not every iteration does. Features are sent once, as 16 bytes an element, and 8 more for such Hessians.
//
// A step of conjugate gradients takes 18 rounds, in which each party sends 28 bytes for each row and at most 150 for each feature. By
// party.Plan, eight iterations of 16 steps take less time in all than eight of Fisher scoring from about 100 features on: for Poisson,
// 10,000 × 300, 31 s instead of 252 on the network wan, 6 instead of 36 on lan. Of jobs with solver: auto, package job compares both plans.
package glm
