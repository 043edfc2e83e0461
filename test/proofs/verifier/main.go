// Verifies the proofs of a log with the libraries of Go's checksum database (golang.org/x/mod/sumdb) and of
// filippo.io/torchwood, unchanged. Reads one JSON object a line, and prints "ok" or what is wrong.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type task struct {
	Verifier string // of the log
	Text     string // a tlog-proof, or the body of add-checkpoint
	OldRoot  string // base64, for the latter
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var t task
		if err := json.Unmarshal(in.Bytes(), &t); err != nil {
			panic(err)
		}
		if err := t.verify(); err != nil {
			fmt.Println(err)
		} else {
			fmt.Println("ok")
		}
	}
}

func (t task) verify() error {
	head, signed, found := strings.Cut(t.Text, "\n\n")
	if !found {
		return fmt.Errorf("no checkpoint")
	}
	checkpoint, err := openedCheckpoint(t.Verifier, signed)
	if err != nil {
		return err
	}
	lines := strings.Split(head, "\n")
	if old, isConsistency := strings.CutPrefix(lines[0], "old "); isConsistency {
		return consistency(t.OldRoot, old, lines[1:], checkpoint)
	}
	return inclusion(lines, checkpoint)
}

func openedCheckpoint(vkey, signed string) (torchwood.Checkpoint, error) {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return torchwood.Checkpoint{}, err
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(verifier))
	if err != nil {
		return torchwood.Checkpoint{}, err
	}
	checkpoint, err := torchwood.ParseCheckpoint(opened.Text)
	if err == nil && checkpoint.Origin != verifier.Name() {
		err = fmt.Errorf("another log")
	}
	return checkpoint, err
}

func inclusion(lines []string, checkpoint torchwood.Checkpoint) error {
	if len(lines) < 3 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return fmt.Errorf("not a tlog-proof")
	}
	event, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra "))
	if err != nil {
		return err
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
	if err != nil {
		return err
	}
	path, err := hashes(lines[3:])
	if err != nil {
		return err
	}
	record := sha256.Sum256(event)
	return tlog.CheckRecord(path, checkpoint.N, checkpoint.Hash, index, tlog.RecordHash(record[:]))
}

func consistency(oldRoot, old string, lines []string, checkpoint torchwood.Checkpoint) error {
	size, err := strconv.ParseInt(old, 10, 64)
	if err != nil {
		return err
	}
	root, err := tlog.ParseHash(oldRoot)
	if err != nil {
		return err
	}
	path, err := hashes(lines)
	if err != nil {
		return err
	}
	return tlog.CheckTree(path, checkpoint.N, checkpoint.Hash, size, root)
}

func hashes(lines []string) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, line := range lines {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return nil, err
		}
		found = append(found, hash)
	}
	return found, nil
}
