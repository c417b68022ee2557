// Two libraries written in Go: filippo.io/mldsa (the standard library's crypto/mldsa, as a
// module) and CIRCL.
//
// Built as a shared library that exports the functions of contender.h. A job's loop over its
// operations is on Go's side of the border, so that the crossing, some tens of nanoseconds,
// is paid once a turn.
package main

/*
#cgo CFLAGS: -I${SRCDIR}/../contender -DCONTENDER_TYPES_ONLY
#include <contender.h>
*/
import "C"

import (
	"runtime"
	"runtime/cgo"
	"runtime/debug"
	"strings"
	"unsafe"
)

// A job is a batch of operations: run does the one with this index and sets its outputs.
type job struct {
	count   int
	width   int // outputs of one operation
	outputs [][]byte
	run     func(index int, outputs [][]byte) bool
}

type contender struct {
	name, module, code, note string
	job                      func(algorithm, operation string, inputs [][]byte) *job
}

var contenders = []contender{
	{"Go filippo.io/mldsa", "filippo.io/mldsa", "assembly",
		"its secret keys are seeds: sign makes the whole key first; keygen writes the public key alone", filippoJob},
	{"Go CIRCL", "github.com/cloudflare/circl", "vector", "", circlJob},
	{"Go CIRCL ML-KEM", "github.com/cloudflare/circl", "vector", "", circlKemJob},
}

func newJob(count, width int, run func(index int, outputs [][]byte) bool) *job {
	return &job{count: count, width: width, outputs: make([][]byte, count*width), run: run}
}

var list = func() *C.char {
	var text strings.Builder
	for _, c := range contenders {
		text.WriteString(strings.Join([]string{c.name, c.module, c.code, c.note}, "\t") + "\n")
	}
	return C.CString(text.String())
}()

//export contender_list
func contender_list() *C.char { return list }

//export contender_job
func contender_job(index C.size_t, algorithm, operation *C.char, inputs *C.contender_bytes, count C.size_t) C.uintptr_t {
	var copies [][]byte
	for _, input := range unsafe.Slice(inputs, int(count)) {
		copies = append(copies, C.GoBytes(unsafe.Pointer(input.data), C.int(input.bytes)))
	}
	made := contenders[index].job(C.GoString(algorithm), C.GoString(operation), copies)
	if made == nil {
		return 0
	}
	return C.uintptr_t(cgo.NewHandle(made))
}

//export contender_run
func contender_run(handle C.uintptr_t, first, end C.size_t) C.int {
	j := cgo.Handle(handle).Value().(*job)
	result := C.int(0)
	for i := first; i < min(end, C.size_t(j.count)); i++ {
		if !j.run(int(i), j.outputs[int(i)*j.width:int(i+1)*j.width]) {
			result = -1
		}
	}
	return result
}

//export contender_output
func contender_output(handle C.uintptr_t, index C.size_t, out *C.uint8_t, capacity C.size_t) C.size_t {
	j := cgo.Handle(handle).Value().(*job)
	if int(index) >= len(j.outputs) {
		return C.SIZE_MAX
	}
	output := j.outputs[index]
	if len(output) <= int(capacity) {
		copy(unsafe.Slice((*byte)(out), int(capacity)), output)
	}
	return C.size_t(len(output))
}

//export contender_drop
func contender_drop(handle C.uintptr_t) { cgo.Handle(handle).Delete() }

// Garbage is collected here, outside the clock: Go's collector would otherwise run in
// the turns of others.
//
//export contender_rest
func contender_rest() { runtime.GC() }

func init() { debug.SetGCPercent(-1) }

func main() {}
