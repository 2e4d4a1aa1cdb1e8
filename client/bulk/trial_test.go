package bulk_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"reseller/client/mock/fault"
)

// trial is one load, with all that befalls it. All of it but the timing follows
// from the seed.
type trial struct {
	seed      int64
	title     string
	load      load
	batchSize int
	workers   int
	blind     bool // goes by the journal alone, not by what the service holds already
	stdin     bool
	resumes   bool // goes on by `jobs resume`, not by the same command
	timeout   time.Duration
	weather   fault.Schedule
	kills     int  // how many of the first starts are killed or interrupted
	forget    bool // throw the journal away after each
	teeth     bool // rows that are there twice are what is looked for
	strict    bool // the first start must do it
}

func (c trial) String() string {
	return fmt.Sprintf("seed %d: %s, %s", c.seed, c.load.name, c.title)
}

// From the start calm on nothing goes wrong any more; most is the last one.
const (
	calm = 8
	most = 14
)

// draw makes the trial of a seed.
func draw(seed int64, forget bool) trial {
	dice := rand.New(rand.NewPCG(uint64(seed), 3))
	c := trial{
		seed: seed, batchSize: 1 + dice.IntN(1+dice.IntN(40)), workers: 1 + dice.IntN(8), kills: 1 + dice.IntN(3),
		blind: dice.IntN(3) > 0, stdin: dice.IntN(6) == 0, resumes: dice.IntN(4) == 0, timeout: time.Minute, forget: forget,
	}
	share, kinds := []float64{0.02, 0.05, 0.1, 0.2, 0.3}[dice.IntN(5)], []string{"all"}
	if dice.IntN(2) == 0 {
		kinds = nil
		for range 1 + dice.IntN(4) {
			kinds = append(kinds, fault.Names()[dice.IntN(len(fault.Names()))])
		}
	}
	if seed < 1000 { // those of CI: long trials are for those who ask for them
		share, c.kills, c.batchSize = min(share, 0.1), min(c.kills, 2), c.batchSize+9
	}
	if dice.IntN(5) == 0 {
		c.timeout = 700 * time.Millisecond // slow answers are too slow
	}
	if forget {
		c.blind, share = true, 0
	}
	switch n := dice.IntN(10); {
	case (seed%4 == 0 || *tortureOnly) && !forget:
		c.load = customers(dice, 4+dice.IntN(12), dice.IntN(3))
	case n < 7 || forget:
		c.load = keywords(dice, 60+dice.IntN(240), dice.IntN(3))
	case n < 9:
		c.load = accounts(dice, 15+dice.IntN(35))
	default:
		c.load = credentials(dice, 15+dice.IntN(25))
	}
	var err error
	if c.weather, err = fault.NewSchedule(seed, share, kinds...); err != nil {
		panic(err)
	}
	c.title = fmt.Sprintf("%d rows in calls of %d, %d at a time, %d kills, blind %v, %.0f %% %s",
		len(c.load.rows), c.batchSize, c.workers, c.kills, c.blind, 100*share, strings.Join(kinds, " "))
	return c
}

// attempt is one start of the program and how it ended.
type attempt struct {
	n              int
	exit           int // -1: killed
	stdout, stderr bytes.Buffer
	summary        struct{ Rows, Sent, Present, Differs, Refused, Unknown int }
}

// run loads the file until the program says that it is done, and compares.
func (c trial) run(t *testing.T, program string) (found figures, err error) {
	dir := t.TempDir()
	defer func() { _ = os.RemoveAll(dir) }() // thousands would add up
	s, err := newStage(c, filepath.Join(dir, "mock.db"))
	if err != nil {
		return found, err
	}
	server := httptest.NewServer(s)
	defer server.Close()
	if err := os.WriteFile(filepath.Join(dir, "input."+c.load.format), c.load.file, 0o600); err != nil {
		return found, err
	}
	found.Runs, found.Rows = 1, len(c.load.rows)
	var story strings.Builder
	for n := 1; ; n++ {
		last, err := c.start(t.Context(), program, dir, server.URL, n, s)
		found.Starts++
		in := s.stored()
		fmt.Fprintf(&story, "start %d: exit %d, %d of %d rows in, %+v, %s", n, last.exit, len(in), len(c.load.rows), last.summary, &last.stderr)
		switch {
		case last.exit == 130:
			found.Interrupts++
		case last.exit == -1 && len(in) > 0 && len(in) < c.load.good():
			found.Kills++
		case last.exit == -1:
			found.Missed++
		}
		leaks, leakErr := s.leaks(filepath.Join(dir, "state"))
		found.Leaks += leaks
		done, doneErr := c.done(last, in)
		if err = errors.Join(err, leakErr, doneErr); err == nil && !done && n == most {
			err = errors.New("it does not come to an end")
		}
		if err == nil && !done {
			// A job that was done when the program died is followed by a new one, which
			// must not go by its empty journal alone.
			c.blind = c.blind && (c.forget || last.exit != 3 && len(in) < c.load.good())
			switch {
			case last.exit != -1:
			case c.forget:
				err = os.RemoveAll(filepath.Join(dir, "state"))
			default:
				err = s.tear(filepath.Join(dir, "state"))
			}
			if err == nil {
				continue
			}
		}
		s.service.Wait()
		err = errors.Join(err, c.compare(&found, last, s.stored()))
		found.Requests, found.Faults = s.requests, s.faults
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, &story)
		}
		return found, err
	}
}

// start runs the program once, to its end or its death.
func (c trial) start(ctx context.Context, program, dir, url string, n int, s *stage) (*attempt, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "RESELLER_BASE_URL=" + url, "RESELLER_USERNAME=reseller1", "RESELLER_PASSWORD=mock"}
	for _, place := range []string{"CONFIG", "DATA", "CACHE", "STATE"} {
		env = append(env, "XDG_"+place+"_HOME="+filepath.Join(dir, strings.ToLower(place)))
	}
	last := &attempt{n: n}
	cmd := exec.CommandContext(ctx, program, c.args(dir, isIncomplete(ctx, program, env, c.resumes && n > 1))...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, &last.stdout, &last.stderr
	if c.stdin {
		cmd.Stdin = bytes.NewReader(c.load.file)
	}
	if err := s.begin(n, cmd); err != nil {
		return last, err
	}
	_ = cmd.Wait()
	last.exit = cmd.ProcessState.ExitCode()
	if ctx.Err() != nil {
		return last, errors.New("it hangs")
	}
	_ = json.Unmarshal(last.stdout.Bytes(), &last.summary) // there is none where the program was killed
	return last, nil
}

// args are the words of a start that loads the file, or goes on with a job.
func (c trial) args(dir, job string) []string {
	args := []string{"-o", "json", "--no-input", "--quiet"}
	if job != "" {
		return append(append(args, "jobs", "resume", job), c.load.speed...)
	}
	args = append(args, c.load.speed...)
	args = append(args, c.load.command...)
	args = append(args, "--timeout", c.timeout.String(), "--batch-size", strconv.Itoa(c.batchSize), "--concurrency", strconv.Itoa(c.workers))
	if c.blind && c.load.skips {
		args = append(args, "--no-skip-existing")
	}
	if c.stdin {
		return append(args, "--file", "-", "--input-format", c.load.format)
	}
	return append(args, "--file", filepath.Join(dir, "input."+c.load.format))
}

// unfinished is the job that is to go on, if one is.
func isIncomplete(ctx context.Context, program string, env []string, wanted bool) string {
	if !wanted {
		return ""
	}
	cmd := exec.CommandContext(ctx, program, "jobs", "list", "-o", "json")
	cmd.Env = env
	out, _ := cmd.Output()
	var jobs []struct{ Job, State string }
	_ = json.Unmarshal(out, &jobs)
	for _, j := range jobs {
		if j.State != "finished" {
			return j.Job
		}
	}
	return ""
}

// done tells whether a start was the last one that is needed.
func (c trial) done(last *attempt, in map[string]int) (bool, error) {
	switch {
	case last.exit == 0, last.exit == 3 && last.summary.Unknown == 0:
		return true, nil
	case last.exit == 3 && !c.load.readable:
		return true, nil // told, and for a person to decide
	case last.exit == 3 && c.load.owner != nil && c.load.shown(in):
		return true, nil // what is left unknown can't be read back
	case last.exit == -1 && c.load.owner != nil && len(in) == c.load.good():
		return true, nil
	case last.exit == -1 && !c.load.readable && len(in) == len(c.load.rows):
		return true, nil // a job that was done would be begun anew
	case c.strict:
		return true, fmt.Errorf("exit %d", last.exit)
	case last.exit == 1 && strings.Contains(last.stderr.String(), "jobs resume"): // a list that can't be read
		return false, nil
	case last.exit == -1, last.exit == 3, last.exit == 4, last.exit == 7, last.exit == 130:
		return false, nil
	}
	return true, fmt.Errorf("exit %d", last.exit)
}

// compare looks for each row of the file in what the service holds.
func (c trial) compare(found *figures, last *attempt, in map[string]int) error {
	found.Unknown = last.summary.Unknown
	lost, wrong, owners, bad := []string{}, []string{}, map[string]bool{}, len(c.load.rows)-c.load.good()
	for key, good := range c.load.rows {
		switch n := in[key]; {
		case !good && n > 0:
			wrong = append(wrong, key+" was stored though it was bad")
		case good && n == 0:
			lost = append(lost, key)
			owners[cmp.Or(c.load.owner[key], key)] = true
		case n > 1:
			found.Twice += n - 1
			wrong = append(wrong, fmt.Sprintf("%s is there %d times", key, n))
		}
	}
	for key := range in {
		if _, ours := c.load.rows[key]; !ours {
			wrong = append(wrong, key+" is not in the file")
		}
	}
	told := last.summary.Unknown
	if c.load.owner != nil {
		told += bad // that more of them is unknown than what was refused is in their reasons
	}
	if len(owners) > told {
		found.Lost = len(owners) - told
		wrong = append(wrong, fmt.Sprintf("lost: %v", lost))
	}
	if last.exit != -1 && last.summary.Refused != bad || last.exit == 0 && bad+last.summary.Unknown > 0 {
		wrong = append(wrong, fmt.Sprintf("exit %d, %d refused, %d unknown, %d rows are bad", last.exit, last.summary.Refused, last.summary.Unknown, bad))
	}
	if len(wrong) == 0 || c.teeth {
		return nil
	}
	return errors.New(strings.Join(wrong[:min(len(wrong), 12)], "\n"))
}
