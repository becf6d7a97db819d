#include "planner/commands/collective/collective.hpp"
#include "planner/core/usage.hpp"

// What a transport keeps in flight: its options and what they ask for.
namespace planner::commands {

std::optional<job::Transport> transport_of(const TransportChoice& asked) {
  const bool any = asked.channels || asked.channel_buffer_bytes || asked.round_trip_us ||
                   asked.clear_to_send_us > 0 || asked.message_bytes ||
                   asked.message_overhead_us > 0;
  if (!any) return std::nullopt;
  if (!asked.channels || !asked.channel_buffer_bytes || !asked.round_trip_us) {
    usage_error("--channels, --channel-buffer and --round-trip go together",
                "--channels 16 --channel-buffer 1MiB --round-trip 22");
  }
  if (asked.message_overhead_us > 0 && !asked.message_bytes) {
    usage_error("--message-overhead needs --message-size", "--message-size 128KiB");
  }
  std::optional<Bytes> message;
  if (asked.message_bytes) {
    message = Bytes{*asked.message_bytes};
    if (*asked.message_bytes > *asked.channel_buffer_bytes) {
      usage_error("--message-size: a message lies in one channel's buffer",
                  "no more than --channel-buffer");
    }
  }
  return job::Transport{.channels = *asked.channels,
                        .channel_buffer = Bytes{*asked.channel_buffer_bytes},
                        .round_trip = *asked.round_trip_us * units::us,
                        .clear_to_send = asked.clear_to_send_us * units::us,
                        .message = message,
                        .per_message = asked.message_overhead_us * units::us};
}

std::vector<OptionOf<TransportChoice>> transport_options() {
  using T = TransportChoice;
  constexpr const char* kTransport = "What the transport keeps in flight, per card";
  constexpr std::int64_t kMostChannels = 1'000'000;
  constexpr double kMostMicroseconds = 1e6;
  return {
      integer({"channels", "N", "with a buffer each", kTransport}, &T::channels, 1, kMostChannels),
      of_member<T>({"channel-buffer", "SIZE", "of one channel: 1MiB", kTransport},
                   &T::channel_buffer_bytes,
                   [](std::string_view text, T& transport) {
                     return store(parse_bytes(text), transport.channel_buffer_bytes);
                   }),
      positive({"round-trip", "US", "of an unloaded network, microseconds", kTransport},
               &T::round_trip_us, kMostMicroseconds),
      non_negative({.name = "clear-to-send",
                    .value = "US",
                    .help = "that a sender waits for it besides",
                    .group = kTransport,
                    .fallback = "0"},
                   &T::clear_to_send_us, kMostMicroseconds),
      of_member<T>({"message-size", "SIZE", "posted after one clear-to-send", kTransport},
                   &T::message_bytes,
                   [](std::string_view text, T& transport) {
                     return store(parse_bytes(text), transport.message_bytes);
                   }),
      non_negative({.name = "message-overhead",
                    .value = "US",
                    .help = "a channel's, to post and complete each",
                    .group = kTransport,
                    .fallback = "0"},
                   &T::message_overhead_us, kMostMicroseconds)};
}

}  // namespace planner::commands
