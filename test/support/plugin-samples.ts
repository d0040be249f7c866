// Files as plugins of real servers have them, by kind of configuration.

/** Each is the set of files of one server. */
export const samples: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  gather: [
    {
      'config/GatherManager.json': `{
  "Messages": {
    "NotAllowed": "You don't have permission to use this command.",
    "InvalidModifier": "Invalid modifier supplied! The new modifier always needs to be bigger than 0!"
  },
  "Options": {
    "ExcavatorBeltSpeedMax": 0.1,
    "ExcavatorResourceModifiers": {},
    "ExcavatorResourceTickRate": 3.0,
    "ExcavatorTimeForFullResources": 120.0,
    "GatherDispenserModifiers": {
      "Tree": 2.0
    },
    "GatherResourceModifiers": {
      "*": 3.0,
      "Tree": 1.0,
      "Wood": 5.0,
      "Sulfur Ore": 2.5
    },
    "MiningQuarryResourceTickRate": 5.0,
    "PickupResourceModifiers": {
      "*": 3.0
    },
    "QuarryResourceModifiers": {
      "High Quality Metal Ore": 1.2
    },
    "SurveyResourceModifiers": {}
  },
  "Settings": {
    "ChatPrefix": "Gather Manager",
    "ChatPrefixColor": "#008000ff"
  }
}`,
    },
  ],
  teleport: [
    {
      'config/NTeleportation.json': `{\r
  "Settings": {\r
    "TPB": {\r
      "VIP Countdowns": {\r
        "nteleportation.vip": 0\r
      },\r
      "Countdown": 0,\r
      "Available After X Seconds": 0\r
    },\r
    "Interrupt TP": {\r
      "Above Water": true,\r
      "Hurt": true\r
    },\r
    "Chat Name": "<color=red>Teleportation</color> \\n\\n",\r
    "Chat Steam64ID": 76561199056025696,\r
    "Check Boundaries Min Height": -100.0,\r
    "Blocked Items": {\r
      "explosive.timed": "You can't teleport with C4!"\r
    }\r
  },\r
  "Home": {\r
    "Homes Limit": 2,\r
    "VIP Homes Limits": {\r
      "nteleportation.vip": 5\r
    },\r
    "Hours Before Useable After Wipe": 0.0\r
  },\r
  "Dynamic Commands": {\r
    "Town": {\r
      "Command Enabled": true,\r
      "Location": "-104.7 20.0 311.25",\r
      "Locations": [],\r
      "Teleport To Random Location": false,\r
      "VIP Cooldowns": {}\r
    },\r
    "DeepSea": {\r
      "Command Enabled": true\r
    }\r
  },\r
  "Version": {\r
    "Major": 1,\r
    "Minor": 9,\r
    "Patch": 511\r
  }\r
}\r
`,
    },
  ],
};
