//go:build unix

package output

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
)

// TestJQProgramsAreBounded runs programs that would take all memory, or get such input, each in a
// process of its own with a quarter of the bounds of commands: several in a single call that nothing can end.
// The race detector multiplies what a process takes.
func TestJQProgramsAreBounded(t *testing.T) {
	if program := os.Getenv("TEST_JQ_PROGRAM"); program != "" {
		debug.SetMemoryLimit(40 << 20)
		maxJQInput, maxJQList, maxJQGrowth = maxJQInput/4, maxJQList/4, maxJQGrowth/4
		input := "{}"
		if program == "length" {
			input = `{"a":[` + strings.Repeat("{},", 2<<20) + `0]}`
		}
		p, err := New(io.Discard, Options{JQ: program})
		noError(t, err)
		fmt.Println("error:", p.Print(context.Background(), single(abc), records(input)))
		os.Exit(0)
	}
	const shared = `reduce range(30) as $i ("a"; [., .]) | `
	for _, program := range []string{
		"length", `"a" * 1e9`, `1e9 * "a"`, `{a: "a"} | .a *= 1e9`, `_multiply("a"; 1e9)`, `def f: "b" * (1e9 | .); [f]`, `if true then "x\("a" * 1e9)" else . end`,
		shared + "tojson", shared + "flatten", `reduce range(31) as $i ("a"; . + .)`, `[range(1000) | tostring] | join("a" * 1000000)`, "[range(1e12)]",
		`"a" * 1e8 | explode`, `"a" * 3e7 | . + . + . + . + . + . + . + .`, `"a" * 3e7 | . += . + .`, `("a" * 1e7) as $a | [range(1e4) | $a] | add`, `("a" * 1e7) as $a | add(range(1e4) | $a)`,
		`("a" * 1e6) as $a | [range(3e3) | {key: tostring, value: $a}] | from_entries | add`, `reduce range(5e5) as $i (0; [.])`,
	} {
		t.Run(program, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestJQProgramsAreBounded$")
			cmd.Env = append(os.Environ(), "TEST_JQ_PROGRAM="+program)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.HasPrefix(string(out), "error: jq: ") {
				t.Errorf("got %.300q, %v, want an error of jq", out, err)
			}
			peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
			if runtime.GOOS == "darwin" {
				peak /= 1024
			}
			if peak > 1<<19 {
				t.Errorf("got a peak of %d MB, want less than 512 MB", peak>>10)
			}
		})
	}
}
