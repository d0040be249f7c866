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
  loot: [
    {
      'data/BetterLoot/LootTables.json': `{
  "LootTables": {
    "assets/bundled/prefabs/radtown/crate_normal.prefab": {
      "Is Prefab Enabled?": true,
      "Loot Profiles": [
        {
          "Group Enabled?": true,
          "Loot Profile Name": "weapons",
          "Loot Profile Probability (1% - 100%)": 12.5
        }
      ],
      "Enable Loot Pool Locking": false,
      "Guaranteed Items": {},
      "Ungrouped Items": {
        "rifle.ak": {
          "Skin ID (0 = default)": 2847532416,
          "Display Name (empty = none)": "",
          "Item Minimum": 1,
          "Item Maximum": 1,
          "Item Durability": {
            "Minimum Durability": 40,
            "Maximum Durability": 100
          },
          "Item Properties": {
            "Ammunition Settings": {
              "Ammo Item Shortname": "ammo.rifle",
              "Minimum Amount": 0,
              "Maximum Amount": 30
            },
            "Weapon Attachments": {
              "Minimum Mod Amount": 1,
              "Maximum Mod Amount": 2,
              "Available Attachments": {
                "weapon.mod.lasersight": {
                  "Spawn Probability (0%-100%)": 25.0
                }
              }
            }
          },
          "Bonus Items": {
            "ammo.rifle": {
              "Skin ID (0 = default)": 0,
              "Item Minimum": 10,
              "Item Maximum": 20
            }
          },
          "Allow Duplicates": true
        },
        "rifle.ak{1}": {
          "Skin ID (0 = default)": 18446744073709551615,
          "Item Minimum": 1,
          "Item Maximum": 1
        },
        "rope.blueprint": {
          "Item Minimum": 1,
          "Item Maximum": 1,
          "Can Convert To Blueprint": false
        }
      },
      "Item Settings": {
        "Minimum Amount of Items": 2,
        "Maximum Amount of Items": 4,
        "Minimum Scrap Amount": 5,
        "Maximum Scrap Amount": 8,
        "Use Vanilla Rust Loot RNG": true
      }
    },
    "unwrap/xmas.present.small": {
      "Is Prefab Enabled?": false
    }
  }
}`,
      'data/BetterLoot/LootGroups.json': `{
  "Loot Groups": {
    "weapons": {
      "Enabled?": true,
      "Guaranteed Items": {},
      "Item List": {
        "lmg.m249": {
          "Item Probability (1-100)": 10.0,
          "Item Amount": {
            "Item Minimum": 1,
            "Item Maximum": 2
          }
        }
      }
    }
  }
}`,
      'data/BetterLoot/Blacklist.json': `{
  "ItemList": [
    "rock",
    "torch"
  ]
}`,
      'config/BetterLoot.json': `{
  "Chat Configuration": {
    "Chat Message Prefix": "[<color=#00ff00>BetterLoot</color>]",
    "Chat Message Icon SteamID (0 = None)": 76561199056025696
  },
  "General Configuration": {
    "Blueprint Weight (0.0 = min bias, 1.0 = max bias, 0.5 = balanced)": 0.11,
    "Watched Container Prefabs (true = monitor container loot, false = disabled)": {
      "assets/bundled/prefabs/radtown/crate_normal.prefab": true
    }
  },
  "Loot Configuration": {
    "Hammer Loot Cycle Time": 3.0,
    "Loot Multiplier": 1,
    "Scrap Multipler": 1
  }
}`,
    },
    {
      'data/BetterLoot/LootTables.json': `{"LootTables": {
  "assets/bundled/prefabs/radtown/oil_barrel.prefab": {"Enabled": true, "Scrap": 2, "ItemsMin": 1, "ItemsMax": 2, "MaxBPs": 1,
    "ItemList": {"crude.oil": {"Min": 15, "Max": 19}, "lowgradefuel.blueprint": {"Min": 5, "Max": 9}}}
}}`,
    },
  ],
};
