package serbench

import (
	"slices"

	"github.com/serbench/serbench/internal/fidelity"
	"github.com/serbench/serbench/internal/hostinfo"
	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// openEnvironment reads where the run takes place.
func (r *run) openEnvironment() {
	r.clock = measure.SystemClock()
	r.facts = r.clock.Measure()
	r.emptyNs = emptyLoop(r.clock)
	r.floors, r.drifts = map[Op][]float64{}, map[string]float64{}
	h := hostinfo.Read()
	r.loadStart = hostinfo.ReadLoad()
	r.report.Environments = []Environment{{
		ID: "env1", GoVersion: h.GoVersion, GOOS: h.GOOS, GOARCH: h.GOARCH, GOAMD64: h.ArchLevel,
		GOEXPERIMENT: h.GOEXPERIMENT, GOGC: h.GOGC, GOMEMLIMITBytes: h.GOMEMLIMITBytes, OS: h.OS,
		CPUModel: h.CPUModel, CPUs: h.CPUs, GOMAXPROCS: h.GOMAXPROCS, MemoryBytes: h.MemoryBytes,
		ContainerCPUs: h.ContainerCPUs, ContainerBytes: h.ContainerBytes, Modules: h.Modules,
		VCSRevision: h.VCSRevision, VCSModified: h.VCSModified, BuildID: h.BuildID, RaceDetector: h.RaceDetector,
		ClockResolution: r.facts.Resolution, ClockCost: r.facts.Cost,
		LoadStart: &Load{Load1: r.loadStart.Load1, StealShare: r.loadStart.StealShare(hostinfo.Load{}), CPUPressure: r.loadStart.CPUPressure, MemPressure: r.loadStart.MemPressure},
	}}
	r.limitMemory(h)
	if h.RaceDetector {
		r.report.Warnings = append(r.report.Warnings, Warning{Code: "race-detector",
			Message: "the program was built with the race detector, which slows codecs down by different factors",
			Advice:  "build without -race to measure"})
	}
}

// limitMemory fills in the default of MemoryLimit: half of what the process
// may use.
func (r *run) limitMemory(h hostinfo.Info) {
	if r.MemoryLimit == 0 {
		for _, bytes := range []int64{h.MemoryBytes, h.ContainerBytes, h.GOMEMLIMITBytes} {
			if half := bytes / 2; half > 0 && (r.MemoryLimit == 0 || half < r.MemoryLimit) {
				r.MemoryLimit = half
			}
		}
	}
	r.MemoryLimit = max(0, r.MemoryLimit)
	r.report.Config.MemoryLimit = r.MemoryLimit
}

// closeEnvironment adds what is known at the end.
func (r *run) closeEnvironment() {
	env := &r.report.Environments[0]
	end := hostinfo.ReadLoad()
	env.LoadEnd = &Load{Load1: end.Load1, StealShare: end.StealShare(r.loadStart), CPUPressure: end.CPUPressure, MemPressure: end.MemPressure}
	for op, fs := range r.floors {
		if env.FloorNs == nil {
			env.FloorNs = map[Op]float64{}
		}
		env.FloorNs[op] = stats.Median(fs)
	}
	for name, d := range r.drifts {
		if env.GroupDrift == nil {
			env.GroupDrift = map[string]float64{}
		}
		env.GroupDrift[name] = d
		env.ControlDrift = max(env.ControlDrift, d)
	}
	if s := env.LoadEnd.StealShare; s != nil && *s > 0.05 {
		r.report.Warnings = append(r.report.Warnings, Warning{Code: "steal",
			Message: "other machines on the same host took CPU time away during the run",
			Advice:  "ratios are paired and hold; times per op are this run's only"})
	}
	if r.runaway {
		r.report.Warnings = append(r.report.Warnings, Warning{Code: "runaway",
			Message: "a call that did not return was abandoned and may have gone on beside what was measured after it",
			Advice:  "leave that codec out, or run it in a process of its own"})
	}
}

// describe lists payloads and codecs in the report.
func (r *run) describe() {
	for _, p := range r.payloads {
		info := PayloadInfo{
			Name: p.name, Form: p.form, GoType: p.typ.String(), Values: len(p.values), Hash: fidelity.Hash(p.values...),
			Source: p.source, Origin: p.origin, Derivation: p.derived, Copies: "kept", OwnEqual: p.equal != nil,
			Warnings: slices.Clone(p.warnings),
		}
		if p.fresh != nil {
			info.Copies = "fresh"
		}
		if p.tolerance != (Tolerance{}) {
			t := p.tolerance
			info.Tolerance = &t
		}
		r.report.Payloads = append(r.report.Payloads, info)
	}
	for _, c := range r.codecs {
		info := CodecInfo{Name: c.Name()}
		add := func(name string, ok bool) {
			if ok {
				info.Abilities = append(info.Abilities, name)
			}
		}
		d, describes := c.(Describer)
		if describes {
			info.Info = d.Describe()
		}
		_, ok := c.(Appender)
		add("append", ok)
		_, ok = c.(Binder)
		add("bind", ok)
		_, ok = c.(Cloner)
		add("clone", ok)
		_, ok = c.(Streamer)
		add("stream", ok)
		_, ok = c.(Supporter)
		add("support", ok)
		slices.Sort(info.Abilities)
		r.report.Codecs = append(r.report.Codecs, info)
	}
}
