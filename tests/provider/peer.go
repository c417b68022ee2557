// A peer of Go's crypto/tls, which speaks one group: peer serve|get ADDRESS GROUP CERTIFICATE KEY.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"strconv"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	role, address, certificate, key := os.Args[1], os.Args[2], os.Args[4], os.Args[5]
	group, err := strconv.ParseUint(os.Args[3], 0, 16)
	check(err)
	pair, err := tls.LoadX509KeyPair(certificate, key)
	check(err)
	text, err := os.ReadFile(certificate)
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	config := &tls.Config{
		Certificates: []tls.Certificate{pair}, RootCAs: roots, ServerName: "localhost",
		MinVersion: tls.VersionTLS13, CurvePreferences: []tls.CurveID{tls.CurveID(group)},
	}
	var connection net.Conn
	if role == "serve" {
		listener, err := tls.Listen("tcp", address, config)
		check(err)
		fmt.Println("listens")
		connection, err = listener.Accept()
		check(err)
	} else {
		connection, err = tls.Dial("tcp", address, config)
		check(err)
	}
	check(connection.(*tls.Conn).Handshake())
	fmt.Printf("group 0x%04X\n", uint16(connection.(*tls.Conn).ConnectionState().CurveID))
	connection.Close()
}
