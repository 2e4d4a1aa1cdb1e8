// Command programs is the programs beside reseller that the stories run. The name that it is called by says which: it has
// none of the packages that the tests or reseller need, which take long to start.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"
)

func main() {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	run := map[string]func(){
		"await":     awaitMain,
		"interrupt": interruptMain,
		"halfcall":  halfcallMain,
		"first":     firstMain,
		"input":     inputMain,
		"killed":    killedMain,
		"terminal":  func() { terminalMain(false) },
		"screen":    func() { terminalMain(true) },
		"typist":    typistMain,
	}[name]
	if run == nil {
		fail("no program is called %s", name)
	}
	run()
}

// eventTimeout is how long a story waits for an event before it fails.
const eventTimeout = time.Minute

// poll calls done every 20 milliseconds until done returns true, for eventTimeout at
// most. It reports whether done returned true.
func poll(done func() bool) bool {
	for end := time.Now().Add(eventTimeout); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if done() {
			return true
		}
	}
	return false
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(99)
}

// awaitMain is the program await CONDITION: it waits until the condition holds.
func awaitMain() {
	holds, rest := condition(os.Args[1:])
	if len(rest) > 0 {
		fail("await: more than a condition: %q", rest)
	}
	if !poll(holds) {
		fail("await: waited %v for %q", eventTimeout, os.Args[1:])
	}
}

// condition returns the condition that args begin with, and the arguments behind it. [-count=N] REGEXP FILE holds
// when the file has at least N lines that match, or one without N; the lines of a folder are the names in it. soon
// holds after half a second.
func condition(args []string) (holds func() bool, rest []string) {
	if args[0] == "soon" {
		return func() bool { time.Sleep(time.Second / 2); return true }, args[1:]
	}
	count := 1
	if text, ok := strings.CutPrefix(args[0], "-count="); ok {
		var err error
		if count, err = strconv.Atoi(text); err != nil {
			fail("condition: %v", err)
		}
		args = args[1:]
	}
	if len(args) < 2 {
		fail("condition: want [-count=N] REGEXP FILE, got %q", args)
	}
	line, path := regexp.MustCompile(args[0]), args[1]
	return func() bool {
		content, err := os.ReadFile(path)
		if entries, dirErr := os.ReadDir(path); err != nil && dirErr == nil {
			for _, entry := range entries {
				content = append(content, entry.Name()+"\n"...)
			}
			err = nil
		}
		found := 0
		for text := range bytes.SplitSeq(content, []byte("\n")) {
			if line.Match(text) {
				found++
			}
		}
		return err == nil && found >= count
	}, args[2:]
}

var signals = map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "QUIT": syscall.SIGQUIT}

// interruptMain is the program interrupt [twice] SIGNAL CONDITION COMMAND ARGS...:
// it starts the command, sends it the signal when the condition holds, and
// ends with the command's exit code. A script can't always see whether the command
// is ready to handle the signal. If it was not, the signal kills it; then it is
// run again, and the signal is sent later.
func interruptMain() {
	args := os.Args[1:]
	count := 1
	if args[0] == "twice" {
		args, count = args[1:], 2
	}
	holds, command := condition(args[1:])
	// Where the tests run under nohup, the command would ignore the signal otherwise.
	signal.Notify(make(chan os.Signal, 1), signals[args[0]])
	for delay := time.Duration(0); delay < eventTimeout; delay = 2*delay + time.Second/2 {
		c := exec.Command(command[0], command[1:]...)
		c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := c.Start(); err != nil {
			fail("interrupt: %v", err)
		}
		if !poll(holds) {
			_ = c.Process.Kill()
			fail("interrupt: waited %v for %q", eventTimeout, args[1:])
		}
		time.Sleep(delay)
		for range count {
			_ = c.Process.Signal(signals[args[0]])
		}
		_ = c.Wait()
		if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
			os.Exit(c.ProcessState.ExitCode())
		}
	}
	fail("interrupt: %s is killed by the signal, however late it is sent", command[0])
}

// killedMain is the program killed CONDITION COMMAND ARGS...: it starts the command and kills it when the condition
// holds. It fails if the command has ended by itself.
func killedMain() {
	holds, command := condition(os.Args[1:])
	c := exec.Command(command[0], command[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := c.Start(); err != nil {
		fail("killed: %v", err)
	}
	held := poll(holds)
	err := c.Process.Kill()
	if _ = c.Wait(); !held {
		fail("killed: waited %v for %q", eventTimeout, os.Args[1:])
	}
	status, ok := c.ProcessState.Sys().(syscall.WaitStatus)
	if err != nil || ok && runtime.GOOS != "windows" && !status.Signaled() {
		fail("killed: %s ended by itself: %v", command[0], c.ProcessState)
	}
}

// terminalMain is the program terminal [COLUMNSxROWS] COMMAND ARGS...: it runs the
// command with the terminal, which gets that size, as its stderr, and ends with the
// command's exit code. At the end it writes more than the terminal's buffer holds: when
// that is written, the story has read everything that the command wrote. The program
// screen does the same, and the terminal is the stdout of the command as well.
func terminalMain(isStdout bool) {
	args := os.Args[1:]
	tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
	if err != nil {
		fail("terminal: %v", err)
	}
	var size pty.Winsize
	if n, _ := fmt.Sscanf(args[0], "%dx%d", &size.Cols, &size.Rows); n == 2 {
		if err := pty.Setsize(tty, &size); err != nil {
			fail("terminal: %v", err)
		}
		args = args[1:]
	}
	c := exec.Command(args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, tty
	if isStdout {
		c.Stdout = tty
	}
	if err := c.Run(); c.ProcessState == nil {
		fail("terminal: %v", err)
	}
	if _, err := tty.WriteString(strings.Repeat("\n", 1<<18)); err != nil {
		fail("terminal: %v", err)
	}
	os.Exit(c.ProcessState.ExitCode())
}

// keys are the bytes that a terminal sends for keys.
var keys = map[string]string{
	"enter": "\r", "tab": "\t", "shift-tab": "\x1b[Z", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"home": "\x1b[H", "end": "\x1b[F", "backspace": "\x7f", "ctrl-c": "\x03", "ctrl-d": "\x04", "ctrl-u": "\x15", "ctrl-w": "\x17",
}

// typistMain is the program typist SCRIPT COMMAND ARGS...: it runs the command at a terminal
// of its own, whose user does what the lines of the file SCRIPT say, and ends with the
// command's exit code. The lines are see TEXT, which waits until the command has written
// the text, with line breaks as \n; type TEXT; paste TEXT, with escapes such as \n; press
// KEY...; and size COLUMNS ROWS. What the command writes to the terminal goes to stderr without its
// escape sequences. Its stdout is no terminal.
func typistMain() {
	script, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail("typist: %v", err)
	}
	c := exec.Command(os.Args[2], os.Args[3:]...)
	c.Stdout = os.Stdout
	terminal, err := pty.StartWithSize(c, &pty.Winsize{Cols: 80, Rows: 24})
	if err != nil {
		fail("typist: %v", err)
	}
	written := make(chan string)
	go func() {
		defer close(written)
		b := make([]byte, 4096)
		for {
			n, err := terminal.Read(b)
			written <- string(b[:n])
			if err != nil {
				return
			}
		}
	}()
	var all string
	sequence := regexp.MustCompile("\x1b(\\[[0-9;?<>=$ ]*[a-zA-Z~]|[^\\[])")
	screen := func() string { return sequence.ReplaceAllString(all, "") }
	seen := 0
	for line := range strings.Lines(string(script)) {
		what, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch what {
		case "see":
			text = strings.ReplaceAll(text, `\n`, "\r\n")
			for timeout := time.After(eventTimeout); !strings.Contains(screen()[seen:], text); {
				select {
				case more, open := <-written:
					if all += more; !open {
						fail("typist: the command ended and has not written %q:\n%s", text, screen())
					}
				case <-timeout:
					fail("typist: the command has not written %q:\n%s", text, screen())
				}
			}
			seen += strings.Index(screen()[seen:], text) + len(text)
			continue
		case "paste":
			pasted, err := strconv.Unquote(`"` + text + `"`)
			if err != nil {
				fail("typist: %v: %q", err, text)
			}
			text = "\x1b[200~" + pasted + "\x1b[201~"
		case "press":
			var pressed strings.Builder
			for key := range strings.FieldsSeq(text) {
				if keys[key] == "" {
					fail("typist: no key is called %q", key)
				}
				pressed.WriteString(keys[key])
			}
			text = pressed.String()
		case "size":
			var size pty.Winsize
			if _, err := fmt.Sscan(text, &size.Cols, &size.Rows); err != nil {
				fail("typist: %v", err)
			}
			if err := pty.Setsize(terminal, &size); err != nil {
				fail("typist: %v", err)
			}
			continue
		case "type":
		default:
			fail("typist: unknown line %q", line)
		}
		if _, err := terminal.WriteString(text); err != nil {
			fail("typist: %v", err)
		}
	}
	for more := range written {
		all += more
	}
	fmt.Fprint(os.Stderr, screen())
	if err := c.Wait(); c.ProcessState == nil {
		fail("typist: %v", err)
	}
	os.Exit(c.ProcessState.ExitCode())
}

// firstMain is the program first N COMMAND ARGS...: it prints the first N lines that the command writes, reads no more,
// and ends with the command's exit code.
func firstMain() {
	lines, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fail("first: %v", err)
	}
	c := exec.Command(os.Args[2], os.Args[3:]...)
	c.Stdin, c.Stderr = os.Stdin, os.Stderr
	written, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		fail("first: %v", err)
	}
	for in := bufio.NewReader(written); lines > 0; lines-- {
		line, err := in.ReadString('\n')
		fmt.Print(line)
		if err != nil {
			break
		}
	}
	_ = written.Close()
	_ = c.Wait()
	os.Exit(c.ProcessState.ExitCode())
}

// inputMain is the program input closed|null|FILE COMMAND ARGS...: it runs the command with no stdin, or with the null
// device or a file as its stdin, and ends with the command's exit code.
func inputMain() {
	program, err := exec.LookPath(os.Args[2])
	if err != nil {
		fail("input: %v", err)
	}
	var stdin *os.File
	switch os.Args[1] {
	case "closed":
	case "null":
		stdin, err = os.Open(os.DevNull)
	default:
		stdin, err = os.Open(os.Args[1])
	}
	if err != nil {
		fail("input: %v", err)
	}
	process, err := os.StartProcess(program, os.Args[2:], &os.ProcAttr{Files: []*os.File{stdin, os.Stdout, os.Stderr}})
	if err != nil {
		fail("input: %v", err)
	}
	state, err := process.Wait()
	if err != nil {
		fail("input: %v", err)
	}
	os.Exit(state.ExitCode())
}

// halfcallMain is the program halfcall URL: it makes a GET with a body, prints
// "under way" when the server has asked for the body, and sends all of it when
// the server accepts no more connections. It prints the response.
func halfcallMain() {
	body, rest := io.Pipe()
	request, err := http.NewRequest(http.MethodGet, os.Args[1], body)
	if err != nil {
		fail("halfcall: %v", err)
	}
	request.ContentLength = 2
	request.Header.Set("Authorization", "Bearer "+os.Getenv("RESELLER_TOKEN"))
	request.Header.Set("Expect", "100-continue")
	go func() {
		fmt.Fprint(rest, "{")
		fmt.Println("under way")
		if !poll(func() bool { return !accepts(request.URL.Host) }) {
			fail("halfcall: %s still accepts connections", request.URL.Host)
		}
		fmt.Fprint(rest, "}")
		_ = rest.Close()
	}()
	client := http.Client{Transport: &http.Transport{ExpectContinueTimeout: eventTimeout}}
	response, err := client.Do(request)
	if err != nil {
		fail("halfcall: %v", err)
	}
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		fail("halfcall: %v", err)
	}
}

// accepts reports whether somebody listens at the address.
func accepts(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
