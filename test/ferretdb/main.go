// Serves MongoDB's protocol from a directory, by FerretDB on SQLite, until its standard input ends:
//
//	ferretdb <address> <directory>
//
// Prints the URL when it is ready. A proxy in front of FerretDB 1.24 answers as MongoDB does where FerretDB differs:
// it lets one writing command in at a time, because FerretDB reads and then writes where MongoDB changes a document in
// one step, and it changes some commands and answers (commands.go).
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
	// A message is its header, its flags, the kind of the first section, and the document.
	bodyOffset = headerLength + 4 + 1
	// A document begins with its length and the type of its first field, whose name is the command.
	commandName = bodyOffset + 4 + 1
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
	go accept(listener, socket)
	fmt.Printf("mongodb://%s/\n", listener.Addr())
	_ = server.Run(ctx)
}

func accept(listener net.Listener, socket string) {
	var writing sync.Mutex
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
			for pass(client, server, &writing) == nil {
			}
		}()
	}
}

// Forwards one message, and its answer back.
func pass(client, server net.Conn, writing *sync.Mutex) error {
	message, err := read(client)
	if err != nil {
		return err
	}
	command := commandOf(message)
	if writes[command] {
		writing.Lock()
		defer writing.Unlock()
	}
	answer, err := run(server, command, message)
	if err != nil {
		return err
	}
	_, err = client.Write(answer)
	return err
}

// Sends a message, and returns the answer if there is one.
func exchange(server net.Conn, message []byte) ([]byte, error) {
	if _, err := server.Write(message); err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(message[12:]) == opMsg && message[headerLength]&moreToCome != 0 {
		return nil, nil
	}
	return read(server)
}

// The command of a message, empty if it has none.
func commandOf(message []byte) string {
	if binary.LittleEndian.Uint32(message[12:]) != opMsg || len(message) <= commandName {
		return ""
	}
	name, _, _ := bytes.Cut(message[commandName:], []byte{0})
	return string(name)
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
