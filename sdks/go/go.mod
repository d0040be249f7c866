module github.com/gantry-platform/gantry-go

go 1.19
