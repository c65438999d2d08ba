// Package interpolate studies models that interpolate measurements of sensors, such as air pollution, to places without a
// sensor: the mean of neighbours, a neural network, graph networks and Gaussian processes. Sensors belong to several owners,
// who keep their readings secret. The study trains and evaluates each model privately and in the clear, with the same
// program.
//
// # Programs
//
// Programs are written in Go by packages hlo/build and hlo/build/nn, and derivatives come from hlo/grad, so that nothing
// but the binary is needed to make them. Their arguments are the owners' readings; matrices and indices that follow from
// the places of the sensors, which are public; and the parameters' first values, which are public too. Everything else is
// secret: the means and deviations by which a program standardises readings, trained parameters and losses. A study reveals
// predictions, losses and errors at the end, because it reports them.
//
// # Data
//
// Generate makes a field over space and time with seasons, roads and wind, and readings of sensors of several owners.
// Read reads a CSV file instead.
package interpolate
