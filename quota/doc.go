// Package quota decides who gives way when something limited is used up, and how often an event of one
// origin is reported, so that no user of a daemon can take all of it from the others.
package quota
