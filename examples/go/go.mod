module example.org/girih

go 1.24
