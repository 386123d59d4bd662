// Package payloads holds data to try codecs on, each in the forms that make
// sense: as a struct with the methods that msgp and easyjson generate, and as
// generic maps. The functions return new values that are the caller's.
//
// No type here has a method that the standard library's encoders look for:
// with one, they would measure that method instead of themselves.
package payloads
