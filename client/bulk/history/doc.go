// Package history remembers which rows were sent that the service can't be asked for, such as credentials, so that no later
// command sends one of them again by mistake, whatever job or file it belongs to.
//
// Before a row is sent, Intend makes durable that it may have been sent from now on. Acknowledge and Withdraw say afterwards
// that the service accepted the row, or surely did not carry it out. A row with neither may or may not have been carried
// out. Of rows that differ in their secrets only, the service holds the one that was sent last, so only that one is remembered.
//
// All processes share one file, which is a log of package wal. It holds no row: a row is a keyed hash of the operation, the
// address, the subject of the token and the values that identify it. The secrets of a row are 24 bits of a slow hash: they
// tell a changed password from the same one, but whoever tries passwords on a stolen file is slow, and finds many that fit.
package history
