// Package stacked has what tasks on stacked tables share: tables with the same columns whose rows are those of one table. Each owner
// standardises its own rows; mean and standard deviation of all rows are computed on shares, and rows are mapped to them.
package stacked
