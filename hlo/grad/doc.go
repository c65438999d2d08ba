// Package grad differentiates programs: it writes, for a program, another program that computes derivatives.
//
// Reverse mode (Gradient) computes the derivatives of one result with respect to many arguments, as a training step needs
// them. Forward mode (Tangents) computes the derivatives of all results along one direction of the arguments. Both write
// operations of package hlo, so that a derivative can be differentiated again, inspected, and run on secrets as any
// program.
//
// # Rules
//
// Every operation of hlo's registry is in one of the tables of this package: partials (elementwise operations), rules
// (all others), flats (the derivative is zero), inlined (calls) or refusals; or it has the trait hlo.Collective or
// hlo.Underived, and is refused too. A refused operation is an error, with its name and place, if a derivative leads
// through it, and only then.
//
// # What is computed once
//
// On secrets a comparison costs more than the rest of a gradient, so the rules use what the program has computed: the
// derivative of a maximum is a selection by the comparison that the maximum makes, that of a max-pool is a
// select_and_scatter over the pool's operand and windows, which has the pool's one-hot vector, and functions such as the
// exponential and the logistic are written with their results. Softmax, logistic, tanh, softplus, log-sigmoid, gelu,
// layer norm and RMS norm are differentiated as wholes where package pattern recognises them, and the maximum within a
// log-softmax or logsumexp counts as a constant. The rest is as JAX writes it, so that passes and patterns find the same
// forms.
//
// # Loops and branches
//
// A loop must have a number of iterations that follows from the program's constants. Its derivative is a loop over the
// iterations in reverse order. What an iteration's derivative reads is put on stacks by the loop itself. If the stacks
// would take more memory than Options.Memory, only what the loop carries is kept, and each iteration is computed a
// second time. A branch returns what its derivative reads, and its derivative is a branch with the same condition.
package grad
