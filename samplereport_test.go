package serbench_test

import (
	"time"

	"github.com/serbench/serbench"
)

func ptr[T any](v T) *T { return &v }

// sampleReport is a report that fills every key of the schema. Its figures
// belong together but are invented.
func sampleReport() *serbench.Report {
	estimate := func(v float64) *serbench.Estimate {
		return &serbench.Estimate{
			Value: v, Low: ptr(v * 0.995), High: ptr(v * 1.005), Confidence: 0.95, Method: "trimmed mean of block medians",
			Mean: ptr(v * 1.01), Stddev: ptr(v * 0.02), Min: ptr(v * 0.98), Max: ptr(v * 1.25),
			Quantiles: []serbench.Quantile{{Q: 0.5, Value: v}, {Q: 0.99, Value: v * 1.2}}, N: 23,
		}
	}
	cell := func(codec string, op serbench.Op, ns, sustained, allocs, bytes float64) serbench.Result {
		return serbench.Result{
			ID: "linux/repository/struct/" + codec + "/" + string(op), Environment: "linux", Build: "b1", Launch: 1,
			Payload: "repository", Form: "struct", Codec: codec, Op: op, Transport: "memory", Parallelism: 1,
			LiveHeap: 64 << 20, CallPath: codec + ".Marshal", Status: serbench.StatusOK,
			Reps: 200, ElapsedNs: int64(200 * ns),
			Samples: []serbench.Sample{
				{Block: 0, Round: 0, Reps: 100, ElapsedNs: int64(101 * ns)},
				{Block: 1, Round: 1, Reps: 100, ElapsedNs: int64(99 * ns)},
			},
			Counters: []serbench.Counter{{
				Block: -1, Reps: 100, Allocs: uint64(100 * allocs), AllocBytes: uint64(100 * bytes),
				UserNs: ptr(int64(90 * ns)), SystemNs: ptr(int64(5 * ns)), WallNs: ptr(int64(100 * ns)), GCCycles: 2,
			}},
			Launches: []serbench.Launch{
				{Launch: 1, NsPerOp: ptr(ns * 1.01), Reps: 100, ElapsedNs: int64(101 * ns), ProcessNs: 60_000_000},
				{Launch: 2, NsPerOp: ptr(ns * 0.99), Reps: 100, ElapsedNs: int64(99 * ns), ProcessNs: 61_000_000, FirstBlock: 1},
			},
			Estimates: serbench.Estimates{
				NsPerOp: estimate(ns), SustainedNsPerOp: estimate(sustained), CPUNsPerOp: estimate(ns * 0.95),
				OpsPerS:     estimate(1e9 / ns),
				AllocsPerOp: &serbench.Estimate{Value: allocs, N: 23}, AllocBytesPerOp: &serbench.Estimate{Value: bytes, N: 23},
				FirstCallNs: &serbench.Estimate{Value: 40_000, N: 1},
			},
			Fidelity: &serbench.Fidelity{Class: serbench.Exact},
		}
	}
	none := func(codec, form string, op serbench.Op, status serbench.Status, reason string) serbench.Result {
		return serbench.Result{
			ID: "linux/repository/" + form + "/" + codec + "/" + string(op), Environment: "linux", Build: "b1",
			Payload: "repository", Form: form, Codec: codec, Op: op, Transport: "memory", Parallelism: 1, Status: status, Reason: reason,
		}
	}

	msgp := cell("msgp", serbench.OpEncode, 231.4, 262.9, 1, 384)
	msgp.Encoded = &serbench.EncodedSize{Min: 373, Mean: 373, Max: 373, FirstBytes: 373, Compressed: map[string]int{"gzip": 290, "zstd": 281}, Total: 373,
		Compressions: []serbench.Compression{{Algorithm: "gzip", MessageBytes: 290, CorpusBytes: 290, CompressNs: 9000, DecompressNs: 2000, Reason: "invented"}}}
	msgp.Memory = &serbench.MemoryCost{
		HeldBytes: estimate(912), HeldRatio: ptr(912 / 373.0),
		Large:     &serbench.LargeMessage{EncodedBytes: 1 << 20, Grown: true, AllocBytes: 3 << 20, ResultBytes: 1 << 20, PeakBytes: estimate(2.5 * (1 << 20))},
		KeptBytes: estimate(0.5), KeptBusyBytes: estimate(1 << 20),
		LiveHeaps: []serbench.HeapCost{{LiveHeap: 64 << 20, SustainedNsPerOp: estimate(262.9), CPUNsPerOp: estimate(270), GCCyclesPerOp: estimate(5.7e-6),
			GCCPUNsPerOp: estimate(31), GCShare: ptr(0.115)}},
		Reasons: []string{"peak: invented"},
	}
	msgp.Latency = &serbench.Latency{Calls: 10_000, MinNs: 700, MeanNs: 812.5, MaxNs: 190_000, GCCycles: 3, CallsPerGC: 4000.5, LiveHeap: 64 << 20, ClockNs: 30.5, Reason: "invented",
		Quantiles: []serbench.LatencyQuantile{
			{Q: 0.5, Ns: ptr(790.0), LowNs: ptr(788.0), HighNs: ptr(791.0), Confidence: 0.95, EffectiveCalls: 9000},
			{Q: 0.999, EffectiveCalls: 2000, Reason: "an interval needs 3688 independent calls; these count as 2000"}}}
	msgp.Cold = &serbench.Cold{ColdNsPerOp: estimate(912), WarmNsPerOp: estimate(308), Ratio: &serbench.Estimate{Value: 2.96, Low: ptr(2.9), High: ptr(3.0), Confidence: 0.95, N: 16},
		Messages: 349_525, Values: 2, CorpusBytes: 128 << 20, L2Bytes: 2 << 20, CacheBytes: 32 << 20, Assumed: true, Reason: "invented"}
	json := cell("json", serbench.OpEncode, 1834, 2012, 2, 512)
	json.Encoded = &serbench.EncodedSize{Min: 461, Mean: 461, Max: 461, Total: 461}
	json.Thinned = true
	json.Warnings = []serbench.Warning{{Code: "two-modes", Message: "the samples have two modes", Advice: "look at them over time"}}
	lossy := cell("ugorji-simple", serbench.OpEncode, 655.2, 701.5, 1, 416)
	lossy.Status = serbench.StatusLossy
	lossy.Fidelity = &serbench.Fidelity{Class: serbench.Lossy, Total: 2, Differences: []serbench.Difference{
		{Value: 0, Path: "created_at", Kind: "time-precision", Want: "2026-01-02T03:04:05.123456789Z", Got: "2026-01-02T03:04:05Z"},
		{Value: 1, Path: "tags", Kind: "empty-nil", Want: "[]", Got: "nil", Normalised: true},
	}}
	lossy.Traits = []serbench.Trait{{Name: serbench.TraitReusesOutput, Detail: "the first message changed with the second Marshal"}}
	control := none("msgp", "struct", "send@memory!codec-only", serbench.StatusOK, "")
	control.Op, control.Transport, control.Role = serbench.OpSend, "memory", serbench.RoleCodec
	failed := none("broken", "struct", serbench.OpEncode, serbench.StatusFailed, "panic: index out of range [3] with length 3")
	failed.Stack = "goroutine 7 [running]:\nexample.com/broken.Marshal(...)"

	return &serbench.Report{
		Schema: serbench.SchemaVersion, Title: "sample <of every key>", Author: "A. N. Other", Summary: "invented figures",
		Started:   time.Date(2026, 3, 4, 5, 6, 7, 890_000_000, time.FixedZone("", 3600)),
		ElapsedNs: 18_200_000_000, Interrupted: true,
		Environments: []serbench.Environment{{
			ID: "linux", GoVersion: "go1.26.0", GOOS: "linux", GOARCH: "amd64", GOAMD64: "v3", GOEXPERIMENT: "simd",
			GOGC: "100", GOMEMLIMITBytes: 4 << 30, OS: "Debian GNU/Linux 12 (bookworm), Linux 6.1.0", CPUModel: "Example CPU @ 3.00GHz",
			CPUs: 8, GOMAXPROCS: 4, MemoryBytes: 16 << 30, ContainerCPUs: 3.5, ContainerBytes: 8 << 30,
			Modules:     map[string]string{"github.com/serbench/serbench": "(devel)", "github.com/tinylib/msgp": "v1.6.5"},
			VCSRevision: "0123456789abcdef0123456789abcdef01234567", VCSModified: true, BuildID: "a/b/c/d", RaceDetector: true,
			ClockResolution: 1, ClockCost: 30.5,
			FloorNs:      map[serbench.Op]float64{serbench.OpEncode: 2.1, serbench.OpDecode: 3.4},
			ControlDrift: 1.012,
			LoadStart:    &serbench.Load{Load1: ptr(0.52), StealShare: ptr(0.0), CPUPressure: ptr(0.015), MemPressure: ptr(0.0)},
			LoadEnd:      &serbench.Load{Load1: ptr(1.1), StealShare: ptr(0.002), CPUPressure: ptr(0.03), MemPressure: ptr(0.0)},
			GroupDrift:   map[string]float64{"repository/struct/encode": 1.004},
		}},
		Config: serbench.Config{
			Rounds: 9,
			Mode:   "precision", Ops: []serbench.Op{serbench.OpEncode, serbench.OpDecode}, Reps: 100, TimeNs: 1e9, CPUTimeNs: 2e9,
			Precision: 0.01, Margin: 0.01, Level: 0.05, BudgetNs: 20e9, Baseline: "json", AllPairs: true, JoinForms: true,
			Parallelism: []int{1, 4}, Transports: []string{"memory"}, LiveHeap: 64 << 20, Memory: true, MemoryHeaps: []int64{0, 64 << 20}, Launches: 2, Traits: true, Seed: 1<<64 - 1,
			Collector: "managed", Order: "shuffled", BatchNs: 50_000, BatchReps: 100, BlockNs: 5e6, WarmupReps: -1,
			DropSamples: 1, MinSamples: 11, SubtractCost: true, SubtractNoop: true, KeepSamples: 1000, Looks: []int{11, 16, 23}, LookLevel: 0.006,
			MemoryLimit: 8 << 30, SelfCheck: true, Latency: 10_000, Cold: true,
		},
		Payloads: []serbench.PayloadInfo{
			{Name: "repository", Form: "struct", GoType: "payloads.Repository", Values: 2, Hash: "sha256:00ff", Source: "hand-written",
				Origin: "repositories", Derivation: "first two", Copies: "fresh", OwnEqual: true,
				Tolerance: &serbench.Tolerance{NilEmpty: true, TimePrecision: time.Millisecond, NumericKinds: true},
				Warnings:  []serbench.Warning{{Code: "few-values", Message: "a branch predictor can learn two values by heart"}}},
			{Name: "repository", Form: "map", GoType: "map[string]interface {}", Values: 2, Hash: "sha256:00ff", Copies: "kept"},
		},
		Codecs: []serbench.CodecInfo{
			{Name: "msgp", Info: serbench.Info{Format: "msgpack", Library: "github.com/tinylib/msgp", Version: "v1.6.5", Kind: serbench.KindGenerated,
				CallPath: "MarshalMsg", Options: map[string]string{"zero-copy": "off"}}, Abilities: []string{"append", "bind"}},
			{Name: "json", Info: serbench.Info{Format: "json", Library: "encoding/json", Kind: serbench.KindReflect}},
			{Name: "ugorji-simple"},
			{Name: "broken"},
		},
		Results: []serbench.Result{
			msgp, json, lossy, failed, control,
			none("msgp", "map", serbench.OpEncode, serbench.StatusSkipped, "unsupported: type map[string]interface {} has no MarshalMsg; run msgp"),
			none("json", "map", serbench.OpEncode, serbench.StatusNotRun, "interrupted"),
		},
		Comparisons: []serbench.Comparison{
			{A: json.ID, B: msgp.ID, Ratio: ptr(7.92), Low: ptr(7.85), High: ptr(7.99), Level: 0.05, Margin: 0.01, Blocks: 23, Method: "trimmed log-ratio", Verdict: serbench.Slower},
			{A: lossy.ID, B: json.ID, Level: 0.05, Margin: 0.01, Verdict: serbench.Undecided, Reason: "the budget ended"},
		},
		Shares: []serbench.Share{{Whole: msgp.ID, Transport: json.ID, Codec: control.ID,
			OfCodec: &serbench.Estimate{Value: 0.03, Low: ptr(0.02), High: ptr(0.04), Confidence: 0.95, N: 16},
			Left:    &serbench.Estimate{Value: 0.97, Low: ptr(0.96), High: ptr(0.98), Confidence: 0.95, N: 16},
			Words:   "send through memory with msgp: the codec takes 3 % (2 to 4 %) of the time"}},
		Scalings: []serbench.Scaling{{Result: msgp.ID, Alone: control.ID, Parallelism: 4, Processors: 2,
			Speedup:        &serbench.Estimate{Value: 1.9, Low: ptr(1.8), High: ptr(2.0), Confidence: 0.95, N: 16},
			Efficiency:     &serbench.Estimate{Value: 0.95, Low: ptr(0.9), High: ptr(1.0), Confidence: 0.95, N: 16},
			MachineSpeedup: &serbench.Estimate{Value: 1.95, N: 16}, HarnessShare: ptr(0.004),
			Words: "encode with msgp on 4 goroutines: 1.9 times the throughput of one (1.8 to 2)"}},
		SelfChecks: []serbench.SelfCheck{{Result: msgp.ID, Extra: 0.02, Ratio: ptr(1.0201), Low: ptr(1.0195), High: ptr(1.0207), Blocks: 11, Verdict: serbench.Slower, Passed: true}},
		Warnings:   []serbench.Warning{{Code: "race-detector", Message: "the race detector is on: times are meaningless", Advice: "build without -race"}},
	}
}
