// Package quota shares something limited between the users of a daemon, so that no user can take all of it.
// Victim decides which user loses a place when all places are taken, Rate bounds how often one origin does something,
// and Reports limits how often events of one origin are reported.
package quota
