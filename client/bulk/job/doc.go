// Package job keeps the state of bulk jobs on disk, so that a job whose process was killed can be resumed. A job has a table
// with the state of each row of its file. Only events change the table, and each event is appended to the job's write-ahead
// log (package wal). A process that resumes the job replays the log, which rebuilds the table.
//
// The package knows rows by their numbers only. It knows neither their content nor how they are sent.
//
// Store.Begin resumes or creates a job. Job.Record changes its table, and Job.Sync makes the changes durable. Store.List and
// Store.Find read the jobs of a folder.
package job
