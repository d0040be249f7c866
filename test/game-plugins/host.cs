// Stands in for the game server and its plugin framework: runs the plugin against answers read from the standard input.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Newtonsoft.Json;

public class BasePlayer
{
    public static List<BasePlayer> activePlayerList = new List<BasePlayer>();
    public string UserIDString;
    public string displayName;
}

namespace Oxide.Core.Libraries
{
    public enum RequestMethod { POST }
}

namespace Oxide.Core
{
    public class DataFileSystem
    {
        public static string Stored = "null";
        public T ReadObject<T>(string name) => JsonConvert.DeserializeObject<T>(Stored);
        public void WriteObject<T>(string name, T value) { Stored = JsonConvert.SerializeObject(value); }
    }

    public class OxideMod
    {
        public DataFileSystem DataFileSystem = new DataFileSystem();
    }

    public static class Interface
    {
        public static OxideMod Oxide = new OxideMod();
    }
}

namespace Oxide.Plugins
{
    using Oxide.Core.Libraries;

    public class InfoAttribute : Attribute { public InfoAttribute(string title, string author, string version) { } }
    public class DescriptionAttribute : Attribute { public DescriptionAttribute(string text) { } }

    public class Timers
    {
        public Dictionary<float, Action> Repeated = new Dictionary<float, Action>();
        public void Every(float seconds, Action action) { Repeated[seconds] = action; }
    }

    public class WebRequests
    {
        public string Body;
        public Action<int, string> Answer;
        public void Enqueue(string url, string body, Action<int, string> answer, object owner, RequestMethod method,
            Dictionary<string, string> headers, float timeout)
        {
            Body = body;
            Answer = answer;
        }
    }

    public class Configuration
    {
        public static string Stored = "{}";
        public T ReadObject<T>() => JsonConvert.DeserializeObject<T>(Stored);
        public void WriteObject<T>(T value, bool sync) { }
    }

    public class RustPlugin
    {
        public static List<string> Warnings = new List<string>();
        public Timers timer = new Timers();
        public WebRequests webrequest = new WebRequests();
        public Configuration Config = new Configuration();
        public string Name = "GantryEvents";
        protected virtual void LoadDefaultConfig() { }
        public void PrintWarning(string text) { Warnings.Add(text); }
    }
}

public class Step
{
    public string Do;
    public string Instance;
    public int Count;
    public int Code;
    public string Response;
}

public static class Host
{
    private static Oxide.Plugins.GantryEvents plugin;

    private static void Call(string hook, params object[] values) =>
        typeof(Oxide.Plugins.GantryEvents).GetMethod(hook, BindingFlags.Instance | BindingFlags.NonPublic)
            .Invoke(plugin, values);

    private static object Field(string name) =>
        typeof(Oxide.Plugins.GantryEvents).GetField(name, BindingFlags.Instance | BindingFlags.NonPublic).GetValue(plugin);

    private static void Load(string instance)
    {
        Oxide.Plugins.Configuration.Stored =
            JsonConvert.SerializeObject(new Dictionary<string, string> { ["License key"] = "key", ["Instance"] = instance });
        plugin = new Oxide.Plugins.GantryEvents();
        Call("Init");
        Call("OnServerInitialized");
    }

    public static void Main()
    {
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var step = JsonConvert.DeserializeObject<Step>(line);
            if (step.Do == "load")
            {
                if (plugin != null) Call("Unload");
                Load(step.Instance);
            }
            else if (step.Do == "join")
                for (var number = 0; number < step.Count; number += 1)
                    Call("OnPlayerConnected", new BasePlayer { UserIDString = number.ToString(), displayName = "Aster" });
            else if (step.Do == "stay")
                BasePlayer.activePlayerList.Add(new BasePlayer { UserIDString = "7", displayName = "Aster" });
            else if (step.Do == "hour") plugin.timer.Repeated[3600f]();
            else if (step.Do == "send")
            {
                plugin.webrequest.Body = null;
                plugin.timer.Repeated[2f]();
                if (plugin.webrequest.Body != null && step.Code != 0) plugin.webrequest.Answer(step.Code, step.Response);
            }
            var waiting = (System.Collections.ICollection)Field("waiting");
            var paused = (DateTime)Field("pausedUntil") > DateTime.UtcNow;
            Console.WriteLine(JsonConvert.SerializeObject(new
            {
                waiting = waiting.Count,
                isPaused = paused,
                sent = step.Do == "send" && plugin.webrequest.Body != null
                    ? JsonConvert.DeserializeObject<Dictionary<string, List<Dictionary<string, string>>>>(plugin.webrequest.Body)["events"].Select(one => one["instance"] + " " + one["steam_id"]).ToList()
                    : null,
                warnings = Oxide.Plugins.RustPlugin.Warnings,
            }));
            Oxide.Plugins.RustPlugin.Warnings = new List<string>();
        }
    }
}
