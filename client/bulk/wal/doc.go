// Package wal is a write-ahead log: an append-only file of events that a program
// makes durable before it acts on them, and replays after a crash.
//
// An event is a sequence of bytes that begins with its kind. In the file it is
// framed by its length (a varint) and followed by its CRC-32C (4 bytes, little
// endian). A crash can tear the event that was being written, which is normal:
// replay ends before it. An event that is invalid in the midst of the file is
// corruption.
//
// Create or Open a Log, Append events to it, and call Sync before acting on them.
// Replay reads a log.
package wal
