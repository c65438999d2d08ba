// Package hidden has what tasks on the rows of a hidden join (package psi) share: whose rows are whose, which arguments of a program
// the join makes, and which results are withheld because too few rows match. Rows are those of inner, left and outer joins in a program.
package hidden
