// Package problem defines the kinds of errors that Tacet returns, and their common
// form: the message, the place and the remedy.
//
// Errors are typed where they arise (hlo.Error, job.ElementError,
// party.LostError, …). Each such type belongs to a [Kind], which errors.Is finds,
// and describes itself as a [Problem], which [Of] collects from a chain of
// wrapped errors. The command prints a Problem as one line of text or as one JSON
// object.
//
// A Problem contains no secret, with one exception: if an owner's own process refuses
// an element of the owner's input, the text for the owner may contain it.
package problem
