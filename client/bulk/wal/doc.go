// Package wal is a write-ahead log: an append-only file of events that a program makes durable before it acts on them, and
// replays after a crash.
//
// An event is a sequence of bytes, the first of which is its kind. In the file, its length (a varint) precedes it and its
// CRC-32C (4 bytes, little endian) follows it. A crash may leave an incomplete event at the end of the file; a replay ends
// before it. If valid events follow an invalid one, the file is corrupt.
//
// Create or Open a Log, Append events to it, and call Sync before acting on them. Replay reads a log.
package wal
