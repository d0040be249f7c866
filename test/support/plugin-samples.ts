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
  'automatic-doors': [
    {
      'config/AutoDoors.json': `{
  "Use permissions": false,
  "Clear data on map wipe": false,
  "Global settings": {
    "Allows automatic closing of unowned doors": false,
    "Exclude door controller": true,
    "Cancel on player dead": false,
    "Default enabled": true,
    "Default delay": 5.0,
    "Maximum delay": 10.0,
    "Minimum delay": 5.0
  },
  "Chat settings": {
    "Chat command": [
      "ad",
      "autodoor"
    ],
    "Chat prefix": "<color=#00FFFF>[AutoDoors]</color>: ",
    "Chat steamID icon": 76561199056025696
  },
  "Door Settings": {
    "door.hinged.wood": {
      "enabled": true,
      "displayName": "Wooden Door"
    },
    "floor.ladder.hatch": {
      "enabled": false,
      "displayName": null
    }
  },
  "Version": {
    "Major": 3,
    "Minor": 3,
    "Patch": 10
  }
}`,
    },
  ],
  chat: [
    {
      'data/BetterChat.json': `[
  {
    "GroupName": "default",
    "Priority": 0,
    "Title": {
      "Color": "#55aaff",
      "Hidden": false,
      "HiddenIfNotPrimary": false,
      "Size": 15,
      "Text": "[Player]"
    },
    "Username": {
      "Color": "#55aaff",
      "Size": 15
    },
    "Message": {
      "Color": "white",
      "Size": 15
    },
    "Format": {
      "Chat": "{Title} {Username}: {Message}",
      "Console": "{Title} {Username}: {Message}"
    }
  }
]`,
      'config/BetterChat.json': `{
  "Maximal Titles": 3,
  "Maximal Characters Per Message": 128,
  "Reverse Title Order": false
}`,
      'config/BetterChatFilter.json': `{
  "Exclude Team Chat": false,
  "Word Filter - Enabled": true,
  "Word Filter - Replacement": "*",
  "Word Filter List": [
    "word"
  ],
  "Clear Offense After (0 - Disabled, 1 - All Kick/Mute/ban, 2 - Kick,  3 - Mute,  4 - Ban": 0
}`,
      'config/BetterChatFlood.json': `{
  "Permission Name": "betterchatflood.bypass",
  "Cooldown Period (seconds)": 5.0,
  "Number of messages before cooldown": 3
}`,
    },
  ],
  'furnace-splitting': [
    {
      'config/FurnaceSplitter.json': `{
  "UiPosition": {
    "x": 0.6505,
    "y": 0.022
  },
  "savePlayerData": true,
  "ovens": {
    "*": {
      "enabled": true,
      "fuelMultiplier": 1.0
    },
    "furnace.large": {
      "enabled": false,
      "fuelMultiplier": 1.0
    },
    "cursedcauldron.deployed": {
      "enabled": false,
      "fuelMultiplier": 1.0
    }
  }
}`,
    },
  ],
  kits: [
    {
      'data/Kits/kits_data.json': `{
  "_kits": {
    "starter": {
      "Name": "starter",
      "Description": "To begin with",
      "RequiredPermission": "kits.starter",
      "MaximumUses": 0,
      "RequiredAuth": 0,
      "Cooldown": 3600,
      "Cost": 0,
      "IsHidden": false,
      "CopyPasteFile": "",
      "KitImage": "",
      "MainItems": [
        {
          "Shortname": "rifle.ak",
          "DisplayName": null,
          "Skin": 2847532416,
          "Amount": 1,
          "Condition": 100.0,
          "MaxCondition": 100.0,
          "Ammo": 30,
          "Ammotype": "ammo.rifle",
          "Position": 0,
          "Frequency": -1,
          "BlueprintShortname": null,
          "Text": null,
          "Contents": [],
          "Container": {
            "slots": 4,
            "temperature": 0.0,
            "flags": 64,
            "contents": []
          }
        }
      ],
      "WearItems": [],
      "BeltItems": [
        {
          "Shortname": "rock",
          "Skin": 0,
          "Amount": 1,
          "Position": 0
        }
      ]
    }
  }
}`,
      'config/Kits.json': `{
  "Kit chat command": "kit",
  "Currency used for purchase costs (Scrap, Economics, ServerRewards)": "Scrap",
  "Autokits ordered by priority": [
    "starter"
  ],
  "Post wipe cooldowns (kit name | seconds)": {
    "starter": 3600
  },
  "UI Options": {
    "Panel Color": {
      "Hex": "#232323",
      "Alpha": 1.0
    }
  },
  "Version": {
    "Major": 4,
    "Minor": 4,
    "Patch": 0
  }
}`,
    },
  ],
  'raidable-bases': [
    {
      'config/RaidableBases.json': `{
  "Settings": {
    "Raid Management": {
      "Eject Mounts": {
        "Pianos": true
      },
      "Max Amount Allowed To Automatically Spawn Per Difficulty (0 = infinite, -1 = disabled)": {
        "Easy": 0,
        "Nightmare": -1
      },
      "Easy Raids Can Spawn On": {
        "Monday": true,
        "Sunday": false
      },
      "Difficulty Colors (Inner)": {
        "Easy": "00FF00"
      }
    },
    "Chat Steam64ID": 76561199056025696,
    "Custom Buy Raid Cost": {
      "Easy": [
        {
          "Enabled": false,
          "Item Shortname": "scrap",
          "Amount": 50,
          "Skin": 0
        }
      ]
    }
  },
  "Treasure": {
    "Use Day Of Week Loot": false,
    "Loot": [
      {
        "shortname": "rifle.ak",
        "name": null,
        "amount": 1,
        "skin": 18446744073709551615,
        "amountMin": 0,
        "probability": 1.0,
        "stacksize": -1
      }
    ]
  },
  "Unknown": [ 1.50 ]
}`,
      'data/RaidableBases/Profiles/Easy Bases.json': `{
  "Difficulty (0 = easy, 1 = medium, 2 = hard, 3 = expert, 4 = nightmare)": 0,
  "Additional Bases For This Difficulty": {
    "base1": [
      {
        "Option": "height",
        "Value": "1.5"
      }
    ]
  },
  "NPCs": {
    "Amount To Spawn": 3,
    "Health For Scientists (100 min, 5000 max)": 150.0
  },
  "Rewards": {
    "Economics Money": 250.0
  }
}`,
      'data/RaidableBases/Difficulty_Loot/Easy.json': `[
  {
    "shortname": "ammo.rifle",
    "name": null,
    "amount": 128,
    "skin": 0,
    "amountMin": 64,
    "probability": 0.75,
    "stacksize": -1
  }
]`,
    },
  ],
  'timed-commands': [
    {
      'config/TimedExecute.json': `{
  "EnableInGameTime-Timer": true,
  "EnableRealTime-Timer": true,
  "EnableTimerOnce": true,
  "EnableTimerRepeat": true,
  "InGameTime-Timer": {
    "01:00": "weather rain"
  },
  "RealTime-Timer": {
    "16:00:00": "say \\"Tea time\\""
  },
  "TimerOnce": {
    "command1 'msg'": 60,
    "reset.timeronce": 181
  },
  "TimerRepeat": {
    "server.save": 300
  }
}`,
    },
  ],
};
