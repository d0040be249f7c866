// Tells the platform who joins and leaves this game server. For Oxide and Carbon; its settings are in
// oxide/config/GantryEvents.json or carbon/configs/GantryEvents.json.
using System;
using System.Collections.Generic;
using System.Linq;
using Newtonsoft.Json;
using Oxide.Core;
using Oxide.Core.Libraries;

namespace Oxide.Plugins
{
    [Info("Gantry Events", "Gantry", "1.1.0")]
    [Description("Tells the platform who joins and leaves.")]
    public class GantryEvents : RustPlugin
    {
        private const int MostAtOnce = 500;
        private const int MostWaiting = 20000;
        private const float SecondsBetweenRequests = 2f;
        private const float TimeoutSeconds = 15f;
        private const int LongestPauseSeconds = 60;
        /// A session of which nothing is told for a day counts as ended.
        private const float SecondsBetweenSignsOfLife = 3600f;

        private Settings settings;
        private List<PlayerEvent> waiting = new List<PlayerEvent>();
        private bool isSending;
        private int mostAtOnce = MostAtOnce;
        private int failures;
        private DateTime pausedUntil = DateTime.MinValue;

        private class Settings
        {
            [JsonProperty("Platform")] public string Platform = "https://gantry.example.com";
            [JsonProperty("License key")] public string LicenseKey = "";
            [JsonProperty("Instance")] public string Instance = "main";
        }

        private class PlayerEvent
        {
            [JsonProperty("instance")] public string Instance;
            [JsonProperty("steam_id")] public string SteamId;
            [JsonProperty("display_name")] public string DisplayName;
            [JsonProperty("event")] public string Event;
            [JsonProperty("occurred_at")] public string OccurredAt;
            [JsonProperty("event_id")] public string EventId;
        }

        /// What the platform finds fault with: single events of a batch it took, or the batch as a whole.
        private class Answer
        {
            [JsonProperty("refused")] public List<Fault> Refused = new List<Fault>();
            [JsonProperty("errors")] public List<Fault> Errors = new List<Fault>();
        }

        private class Fault
        {
            [JsonProperty("pointer")] public string Pointer = "";
            [JsonProperty("detail")] public string Detail = "";
        }

        protected override void LoadDefaultConfig() => Config.WriteObject(new Settings(), true);

        private void Init()
        {
            settings = Config.ReadObject<Settings>();
            waiting = Interface.Oxide.DataFileSystem.ReadObject<List<PlayerEvent>>(Name) ?? waiting;
            // The name may have been wrong until now.
            foreach (var one in waiting) one.Instance = settings.Instance;
        }

        private void OnServerInitialized()
        {
            if (settings.LicenseKey.Length == 0)
            {
                PrintWarning("Set the license key in the plugin's settings, and reload it.");
                return;
            }
            NoteEverybody();
            timer.Every(SecondsBetweenSignsOfLife, NoteEverybody);
            timer.Every(SecondsBetweenRequests, Send);
        }

        private void OnPlayerConnected(BasePlayer player) => Note(player, "join");

        private void OnPlayerDisconnected(BasePlayer player, string reason) => Note(player, "leave");

        private void Unload() => Interface.Oxide.DataFileSystem.WriteObject(Name, waiting);

        private void OnServerSave() => Interface.Oxide.DataFileSystem.WriteObject(Name, waiting);

        private void NoteEverybody()
        {
            foreach (var player in BasePlayer.activePlayerList) Note(player, "join");
        }

        private void Note(BasePlayer player, string what)
        {
            waiting.Add(new PlayerEvent
            {
                Instance = settings.Instance,
                SteamId = player.UserIDString,
                DisplayName = player.displayName,
                Event = what,
                OccurredAt = DateTime.UtcNow.ToString("yyyy-MM-ddTHH:mm:ss.fffZ"),
                EventId = Guid.NewGuid().ToString(),
            });
            if (waiting.Count > MostWaiting) waiting.RemoveRange(0, waiting.Count - MostWaiting);
        }

        /// The same ids are sent until an answer comes: what arrives twice counts once.
        private void Send()
        {
            if (isSending || waiting.Count == 0 || DateTime.UtcNow < pausedUntil) return;
            isSending = true;
            var batch = waiting.Take(mostAtOnce).ToList();
            var body = JsonConvert.SerializeObject(new Dictionary<string, object> { ["events"] = batch });
            var headers = new Dictionary<string, string>
            {
                ["Content-Type"] = "application/json",
                ["X-License-Key"] = settings.LicenseKey,
            };
            webrequest.Enqueue($"{settings.Platform}/api/plugin/player-events", body, (code, response) =>
            {
                isSending = false;
                Settle(batch, code, response);
            }, this, RequestMethod.POST, headers, TimeoutSeconds);
        }

        private void Settle(List<PlayerEvent> batch, int code, string response)
        {
            if (code == 200) SettleTaken(batch, FaultsOf(response).Refused);
            else if (code == 400 || code == 413 || code == 422) SettleRefused(batch, code, FaultsOf(response).Errors);
            else
            {
                Pause();
                PrintWarning($"The platform answered {code}; the events are sent again.");
            }
        }

        /// Events of an instance that is not known are kept: its name can be set right, or it is about to be known.
        private void SettleTaken(List<PlayerEvent> batch, List<Fault> refused)
        {
            var kept = new HashSet<PlayerEvent>();
            foreach (var fault in refused.Where(IsOfInstance)) kept.UnionWith(EventsOf(batch, fault));
            Drop(batch.Where(one => !kept.Contains(one)));
            mostAtOnce = MostAtOnce;
            failures = 0;
            if (kept.Count > 0)
            {
                pausedUntil = DateTime.UtcNow.AddSeconds(LongestPauseSeconds);
                var reason = refused.First(IsOfInstance).Detail;
                PrintWarning($"{kept.Count} events wait because the platform does not take the instance "
                    + $"\"{settings.Instance}\": {reason} Check Instance in the plugin's settings, and reload it.");
            }
            var others = refused.Where(fault => !IsOfInstance(fault)).ToList();
            if (others.Count > 0) WarnOfRefused(others.Count, others[0]);
        }

        /// Only what is at fault is dropped. Where the answer does not name it, smaller batches find it.
        private void SettleRefused(List<PlayerEvent> batch, int code, List<Fault> errors)
        {
            var faulty = code == 413
                ? new List<PlayerEvent>()
                : errors.SelectMany(fault => EventsOf(batch, fault)).Distinct().ToList();
            if (faulty.Count == 0 && batch.Count == 1) faulty = batch;
            if (faulty.Count == 0)
            {
                mostAtOnce = batch.Count / 2;
                return;
            }
            Drop(faulty);
            mostAtOnce = MostAtOnce;
            WarnOfRefused(faulty.Count, errors.FirstOrDefault() ?? new Fault { Detail = $"code {code}" });
        }

        private void WarnOfRefused(int count, Fault first) =>
            PrintWarning($"{count} events were refused: {first.Pointer} {first.Detail}");

        private void Drop(IEnumerable<PlayerEvent> events)
        {
            var dropped = new HashSet<PlayerEvent>(events);
            waiting.RemoveAll(dropped.Contains);
        }

        private void Pause()
        {
            failures = Math.Min(failures + 1, 6);
            pausedUntil = DateTime.UtcNow.AddSeconds(Math.Min(LongestPauseSeconds, 1 << failures));
        }

        /// The event that a pointer like /events/7/steam_id leads to.
        private static IEnumerable<PlayerEvent> EventsOf(List<PlayerEvent> batch, Fault fault)
        {
            var parts = fault.Pointer.Split('/');
            int place;
            if (parts.Length > 2 && parts[1] == "events" && int.TryParse(parts[2], out place)
                && place >= 0 && place < batch.Count)
                yield return batch[place];
        }

        private static Answer FaultsOf(string response)
        {
            try
            {
                var answer = JsonConvert.DeserializeObject<Answer>(response ?? "") ?? new Answer();
                answer.Refused = (answer.Refused ?? new List<Fault>()).Where(IsWhole).ToList();
                answer.Errors = (answer.Errors ?? new List<Fault>()).Where(IsWhole).ToList();
                return answer;
            }
            catch (JsonException)
            {
                return new Answer();
            }
        }

        private static bool IsOfInstance(Fault fault) => fault.Pointer.EndsWith("/instance");

        private static bool IsWhole(Fault fault) => fault != null && fault.Pointer != null;
    }
}
