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
    [Info("Gantry Events", "Gantry", "1.0.0")]
    [Description("Tells the platform who joins and leaves.")]
    public class GantryEvents : RustPlugin
    {
        private const int MostAtOnce = 500;
        private const int MostWaiting = 20000;
        private const float SecondsBetweenRequests = 2f;
        private const float TimeoutSeconds = 15f;

        private Settings settings;
        private List<PlayerEvent> waiting = new List<PlayerEvent>();
        private bool isSending;

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

        protected override void LoadDefaultConfig() => Config.WriteObject(new Settings(), true);

        private void Init()
        {
            settings = Config.ReadObject<Settings>();
            waiting = Interface.Oxide.DataFileSystem.ReadObject<List<PlayerEvent>>(Name) ?? waiting;
        }

        private void OnServerInitialized()
        {
            if (settings.LicenseKey.Length == 0)
            {
                PrintWarning("Set the license key in the plugin's settings, and reload it.");
                return;
            }
            foreach (var player in BasePlayer.activePlayerList) Note(player, "join");
            timer.Every(SecondsBetweenRequests, Send);
        }

        private void OnPlayerConnected(BasePlayer player) => Note(player, "join");

        private void OnPlayerDisconnected(BasePlayer player, string reason) => Note(player, "leave");

        private void Unload() => Interface.Oxide.DataFileSystem.WriteObject(Name, waiting);

        private void OnServerSave() => Interface.Oxide.DataFileSystem.WriteObject(Name, waiting);

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
            if (isSending || waiting.Count == 0) return;
            isSending = true;
            var batch = waiting.Take(MostAtOnce).ToList();
            var body = JsonConvert.SerializeObject(new Dictionary<string, object> { ["events"] = batch });
            var headers = new Dictionary<string, string>
            {
                ["Content-Type"] = "application/json",
                ["X-License-Key"] = settings.LicenseKey,
            };
            webrequest.Enqueue($"{settings.Platform}/api/plugin/player-events", body, (code, response) =>
            {
                isSending = false;
                var isRefused = code == 400 || code == 413 || code == 422;
                if (code == 200 || isRefused) waiting.RemoveAll(batch.Contains);
                if (isRefused) PrintWarning($"{batch.Count} events were refused: {response}");
                else if (code != 200) PrintWarning($"The platform answered {code}; the events are sent again.");
            }, this, RequestMethod.POST, headers, TimeoutSeconds);
        }
    }
}
