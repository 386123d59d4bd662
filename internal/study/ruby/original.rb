# The original's side: Ruby's own json, and msgpack, on the document that comes
# in as JSON on standard input. After a full pass that is thrown away, each
# case is timed over the given number of reps, as bench_press does. Prints a
# line for each: name, op, wall and CPU ns per op, bytes.
require "json"
require "msgpack"

reps = Integer(ARGV.fetch(0))
document = JSON.parse($stdin.read)
json = JSON.generate(document)
msgpack = MessagePack.pack(document)

CLOCKS = [Process::CLOCK_MONOTONIC, Process::CLOCK_PROCESS_CPUTIME_ID].freeze

def timed(reps)
  started = CLOCKS.map { |c| Process.clock_gettime(c) }
  i = 0
  while i < reps
    yield
    i += 1
  end
  CLOCKS.zip(started).map { |c, s| (Process.clock_gettime(c) - s) * 1e9 / reps }
end

[
  ["ruby-json", "encode", json.bytesize, -> { JSON.generate(document) }],
  ["ruby-msgpack", "encode", msgpack.bytesize, -> { MessagePack.pack(document) }],
  ["ruby-json", "decode", json.bytesize, -> { JSON.parse(json) }],
  ["ruby-msgpack", "decode", msgpack.bytesize, -> { MessagePack.unpack(msgpack) }],
].each do |name, op, bytes, body|
  timed(reps, &body)
  puts [name, op, *timed(reps, &body), bytes].join(" ")
end
puts "version ruby #{RUBY_VERSION}, json #{JSON::VERSION}, msgpack #{MessagePack::VERSION}"
