// Serves MongoDB's protocol from a directory, by FerretDB on SQLite, until its standard input ends:
//
//	ferretdb <address> <directory>
//
// Prints the URL when it is ready. In front of FerretDB 1.24 stands a door that lets one writing command in at a time:
// there a change is a read and a write, of which others can come in between, where MongoDB changes a document in one step.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"

	"github.com/FerretDB/FerretDB/ferretdb"
)

const (
	headerLength = 16
	opMsg        = 2013
	// The sender of a message with this flag waits for no answer.
	moreToCome = 1 << 1
	// Of a message: its header, its flags, the kind of its first section, and the length and first type of its document.
	commandName = headerLength + 4 + 1 + 4 + 1
)

var writes = map[string]bool{
	"insert": true, "update": true, "delete": true, "findAndModify": true, "create": true, "createIndexes": true,
	"drop": true, "dropDatabase": true, "dropIndexes": true,
}

func main() {
	address, directory := os.Args[1], os.Args[2]
	socket := filepath.Join(directory, "ferretdb.sock")
	_ = os.Remove(socket)
	server, err := ferretdb.New(&ferretdb.Config{
		Listener: ferretdb.ListenerConfig{Unix: socket},
		Handler:  "sqlite",
		// What it keeps need not outlive the machine.
		SQLiteURL: "file:" + directory + "/?_pragma=synchronous(off)",
		Logger:    slog.New(slog.DiscardHandler),
	})
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	go admit(listener, socket)
	fmt.Printf("mongodb://%s/\n", listener.Addr())
	_ = server.Run(ctx)
}

func admit(listener net.Listener, socket string) {
	var door sync.Mutex
	for {
		client, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer client.Close()
			server, err := net.Dial("unix", socket)
			if err != nil {
				return
			}
			defer server.Close()
			for pass(client, server, &door) == nil {
			}
		}()
	}
}

// Hands one message over, and the answer back.
func pass(client, server net.Conn, door *sync.Mutex) error {
	message, err := read(client)
	if err != nil {
		return err
	}
	if isWrite(message) {
		door.Lock()
		defer door.Unlock()
	}
	if _, err := server.Write(message); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(message[12:]) == opMsg && message[headerLength]&moreToCome != 0 {
		return nil
	}
	answer, err := read(server)
	if err != nil {
		return err
	}
	_, err = client.Write(answer)
	return err
}

func isWrite(message []byte) bool {
	if binary.LittleEndian.Uint32(message[12:]) != opMsg || len(message) <= commandName {
		return false
	}
	name, _, _ := bytes.Cut(message[commandName:], []byte{0})
	return writes[string(name)]
}

// A message begins with its own length.
func read(from io.Reader) ([]byte, error) {
	header := make([]byte, headerLength)
	if _, err := io.ReadFull(from, header); err != nil {
		return nil, err
	}
	message := make([]byte, max(headerLength, binary.LittleEndian.Uint32(header)))
	copy(message, header)
	_, err := io.ReadFull(from, message[headerLength:])
	return message, err
}
