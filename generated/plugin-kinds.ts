// Generated from the contract; edit openapi/plugin-configs instead.
import type { components } from './platform.d.ts';

type Schemas = components['schemas'];

/** The configuration of each kind. */
export interface PluginConfigData {
  'automatic-doors': Schemas['AutomaticDoorsConfigData'];
  'chat': Schemas['ChatConfigData'];
  'furnace-splitting': Schemas['FurnaceSplittingConfigData'];
  'gather': Schemas['GatherConfigData'];
  'kits': Schemas['KitsConfigData'];
  'loot': Schemas['LootConfigData'];
  'raidable-bases': Schemas['RaidableBasesConfigData'];
  'teleport': Schemas['TeleportConfigData'];
  'timed-commands': Schemas['TimedCommandsConfigData'];
}

export type PluginKindName = keyof PluginConfigData;

export interface DeclaredPreset<Data> {
  readonly name: string;
  readonly description: string;
  readonly config: Data;
}

export const pluginKinds = {
  "automatic-doors": {
    "name": "automatic-doors",
    "noun": "AutomaticDoors",
    "title": "automatic door",
    "files": [
      {
        "file": "config/AutoDoors.json",
        "plugin": "AutoDoors"
      }
    ],
    "generations": [
      {
        "name": "v3",
        "title": "version 3 of AutoDoors",
        "signs": {
          "config/AutoDoors.json": {
            "keys": [
              "Global settings",
              "Chat settings",
              "Door Settings",
              "Use permissions"
            ]
          }
        }
      },
      {
        "name": "v2",
        "title": "version 2 of AutoDoors",
        "signs": {
          "config/AutoDoors.json": {
            "keys": [
              "DefaultDelay",
              "MaximumDelay",
              "MinimumDelay"
            ]
          }
        }
      }
    ]
  },
  "chat": {
    "name": "chat",
    "noun": "Chat",
    "title": "chat",
    "files": [
      {
        "file": "data/BetterChat.json",
        "field": "groups",
        "plugin": "BetterChat"
      },
      {
        "file": "config/BetterChat.json",
        "field": "settings",
        "plugin": "BetterChat"
      },
      {
        "file": "config/BetterChat.json",
        "field": "legacy_settings",
        "plugin": "BetterChat"
      },
      {
        "file": "config/BetterChatFilter.json",
        "field": "word_filter",
        "plugin": "BetterChatFilter"
      },
      {
        "file": "config/BetterChatFlood.json",
        "field": "anti_flood",
        "plugin": "BetterChatFlood"
      }
    ],
    "generations": [
      {
        "name": "v5",
        "title": "version 5 of BetterChat",
        "signs": {
          "config/BetterChat.json": {
            "keys": [
              "Maximal Titles",
              "Maximal Characters Per Message",
              "Reverse Title Order"
            ]
          }
        }
      },
      {
        "name": "v4",
        "title": "a version of BetterChat before 5",
        "signs": {
          "config/BetterChat.json": {
            "keys": [
              "General",
              "Anti Flood",
              "Word Filter"
            ]
          }
        }
      }
    ]
  },
  "furnace-splitting": {
    "name": "furnace-splitting",
    "noun": "FurnaceSplitting",
    "title": "furnace splitting",
    "files": [
      {
        "file": "config/FurnaceSplitter.json",
        "plugin": "FurnaceSplitter"
      }
    ],
    "generations": [
      {
        "name": "furnaces",
        "title": "a version of FurnaceSplitter from 2.5 on",
        "signs": {
          "config/FurnaceSplitter.json": {
            "keys": [
              "ovens",
              "savePlayerData"
            ]
          }
        }
      },
      {
        "name": "panel",
        "title": "a version of FurnaceSplitter before 2.5",
        "signs": {
          "config/FurnaceSplitter.json": {
            "keys": [
              "UiPosition"
            ]
          }
        }
      }
    ]
  },
  "gather": {
    "name": "gather",
    "noun": "Gather",
    "title": "gathering",
    "files": [
      {
        "file": "config/GatherManager.json",
        "plugin": "GatherManager"
      }
    ]
  },
  "kits": {
    "name": "kits",
    "noun": "Kits",
    "title": "kit",
    "files": [
      {
        "file": "data/Kits/kits_data.json",
        "field": "kits",
        "key": "_kits",
        "plugin": "Kits"
      },
      {
        "file": "config/Kits.json",
        "field": "settings",
        "plugin": "Kits"
      }
    ],
    "generations": [
      {
        "name": "v4",
        "title": "version 4 of Kits",
        "signs": {
          "config/Kits.json": {
            "keys": [
              "Log kits given",
              "Use the Kits UI menu",
              "Autokits ordered by priority",
              "Kit menu items when opened via HumanNPC (NPC user ID | Items)"
            ],
            "code": true
          },
          "data/Kits/kits_data.json": {
            "code": true
          }
        }
      },
      {
        "name": "v3",
        "title": "version 3 of Kits",
        "signs": {
          "config/Kits.json": {
            "keys": [
              "NPC - GUI Kits",
              "CopyPaste - Parameters",
              "Custom AutoKits",
              "Kit - Logging"
            ],
            "code": true
          },
          "data/Kits/kits_data.json": {
            "keys": [
              "Kits"
            ]
          }
        }
      }
    ]
  },
  "loot": {
    "name": "loot",
    "noun": "Loot",
    "title": "loot",
    "files": [
      {
        "file": "data/BetterLoot/LootTables.json",
        "field": "loot_table",
        "key": "LootTables",
        "plugin": "BetterLoot"
      },
      {
        "file": "data/BetterLoot/LootTables.json",
        "field": "legacy_loot_table",
        "key": "LootTables",
        "plugin": "BetterLoot"
      },
      {
        "file": "data/BetterLoot/LootGroups.json",
        "field": "loot_groups",
        "key": "Loot Groups",
        "plugin": "BetterLoot"
      },
      {
        "file": "data/BetterLoot/Blacklist.json",
        "field": "blacklist",
        "key": "ItemList",
        "plugin": "BetterLoot"
      },
      {
        "file": "config/BetterLoot.json",
        "field": "settings",
        "plugin": "BetterLoot"
      },
      {
        "file": "config/BetterLoot.json",
        "field": "legacy_settings",
        "plugin": "BetterLoot"
      }
    ],
    "generations": [
      {
        "name": "v4",
        "title": "version 4 of BetterLoot",
        "signs": {
          "config/BetterLoot.json": {
            "keys": [
              "Chat Configuration",
              "General Configuration",
              "Loot Configuration",
              "Loot Groups Configuration"
            ]
          },
          "data/BetterLoot/LootTables.json": {
            "code": true
          },
          "data/BetterLoot/LootGroups.json": {
            "keys": [
              "Loot Groups"
            ]
          }
        }
      },
      {
        "name": "v3",
        "title": "version 3 of BetterLoot",
        "signs": {
          "config/BetterLoot.json": {
            "keys": [
              "Generic",
              "Loot",
              "Rarity"
            ]
          },
          "data/BetterLoot/LootTables.json": {
            "code": true
          }
        }
      }
    ]
  },
  "raidable-bases": {
    "name": "raidable-bases",
    "noun": "RaidableBases",
    "title": "raidable base",
    "files": [
      {
        "file": "config/RaidableBases.json",
        "field": "settings",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Profiles/Easy Bases.json",
        "field": "easy_profile",
        "plugin": "RaidableBases",
        "needs": [
          "difficulty"
        ]
      },
      {
        "file": "data/RaidableBases/Difficulty_Loot/Easy.json",
        "field": "easy_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Base_Loot/Easy Bases.json",
        "field": "easy_base_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Profiles/Medium Bases.json",
        "field": "medium_profile",
        "plugin": "RaidableBases",
        "needs": [
          "difficulty"
        ]
      },
      {
        "file": "data/RaidableBases/Difficulty_Loot/Medium.json",
        "field": "medium_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Base_Loot/Medium Bases.json",
        "field": "medium_base_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Profiles/Hard Bases.json",
        "field": "hard_profile",
        "plugin": "RaidableBases",
        "needs": [
          "difficulty"
        ]
      },
      {
        "file": "data/RaidableBases/Difficulty_Loot/Hard.json",
        "field": "hard_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Base_Loot/Hard Bases.json",
        "field": "hard_base_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Profiles/Expert Bases.json",
        "field": "expert_profile",
        "plugin": "RaidableBases",
        "needs": [
          "difficulty"
        ]
      },
      {
        "file": "data/RaidableBases/Difficulty_Loot/Expert.json",
        "field": "expert_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Base_Loot/Expert Bases.json",
        "field": "expert_base_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Profiles/Nightmare Bases.json",
        "field": "nightmare_profile",
        "plugin": "RaidableBases",
        "needs": [
          "difficulty"
        ]
      },
      {
        "file": "data/RaidableBases/Difficulty_Loot/Nightmare.json",
        "field": "nightmare_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Base_Loot/Nightmare Bases.json",
        "field": "nightmare_base_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Default_Loot.json",
        "field": "default_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Difficulty_Loot/Normal.json",
        "field": "normal_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Weekday_Loot/Monday.json",
        "field": "monday_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Weekday_Loot/Tuesday.json",
        "field": "tuesday_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Weekday_Loot/Wednesday.json",
        "field": "wednesday_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Weekday_Loot/Thursday.json",
        "field": "thursday_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Weekday_Loot/Friday.json",
        "field": "friday_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Weekday_Loot/Saturday.json",
        "field": "saturday_loot",
        "plugin": "RaidableBases"
      },
      {
        "file": "data/RaidableBases/Weekday_Loot/Sunday.json",
        "field": "sunday_loot",
        "plugin": "RaidableBases"
      }
    ],
    "folders": [
      {
        "folder": "data/RaidableBases/Profiles",
        "detail": "is a profile with another name; it is not read and stays as it is on the server"
      }
    ],
    "generations": [
      {
        "name": "five",
        "title": "the edition of RaidableBases with five difficulties",
        "signs": {
          "config/RaidableBases.json": {
            "at": [
              "Settings",
              "Raid Management"
            ],
            "keys": [
              "Easy Raids Can Spawn On",
              "Medium Raids Can Spawn On",
              "Hard Raids Can Spawn On",
              "Expert Raids Can Spawn On",
              "Nightmare Raids Can Spawn On",
              "Max Amount Of Players Allowed To Enter Each Difficulty (0 = infinite, -1 = none)",
              "Max Amount Allowed To Automatically Spawn Per Difficulty (0 = infinite, -1 = disabled)"
            ]
          },
          "data/RaidableBases/Profiles/Easy Bases.json": {
            "keys": [
              "Difficulty (0 = easy, 1 = medium, 2 = hard, 3 = expert, 4 = nightmare)"
            ]
          },
          "data/RaidableBases/Profiles/Medium Bases.json": {
            "keys": [
              "Difficulty (0 = easy, 1 = medium, 2 = hard, 3 = expert, 4 = nightmare)"
            ]
          },
          "data/RaidableBases/Profiles/Hard Bases.json": {
            "keys": [
              "Difficulty (0 = easy, 1 = medium, 2 = hard, 3 = expert, 4 = nightmare)"
            ]
          },
          "data/RaidableBases/Profiles/Expert Bases.json": {
            "keys": [
              "Difficulty (0 = easy, 1 = medium, 2 = hard, 3 = expert, 4 = nightmare)"
            ]
          },
          "data/RaidableBases/Profiles/Nightmare Bases.json": {
            "keys": [
              "Difficulty (0 = easy, 1 = medium, 2 = hard, 3 = expert, 4 = nightmare)"
            ]
          }
        }
      },
      {
        "name": "one",
        "title": "the edition of RaidableBases with one difficulty",
        "signs": {
          "config/RaidableBases.json": {
            "at": [
              "Settings",
              "Raid Management"
            ],
            "keys": [
              "Max Amount Of Players Allowed To Enter (0 = infinite, -1 = none)",
              "Grids To Block Spawns At",
              "Block Spawns At Positions"
            ]
          }
        }
      }
    ]
  },
  "teleport": {
    "name": "teleport",
    "noun": "Teleport",
    "title": "teleportation",
    "files": [
      {
        "file": "config/NTeleportation.json",
        "plugin": "NTeleportation"
      }
    ]
  },
  "timed-commands": {
    "name": "timed-commands",
    "noun": "TimedCommands",
    "title": "timed command",
    "alsoNeeds": [
      "console.input"
    ],
    "files": [
      {
        "file": "config/TimedExecute.json",
        "plugin": "TimedExecute",
        "needs": "all"
      }
    ],
    "playerCommands": {
      "join": "on_connect",
      "leave": "on_disconnect"
    },
    "generations": [
      {
        "name": "v0.7",
        "title": "a version of TimedExecute from 0.7 on",
        "signs": {
          "config/TimedExecute.json": {
            "keys": [
              "EnableRealTime-Timer",
              "EnableInGameTime-Timer",
              "InGameTime-Timer"
            ]
          }
        }
      },
      {
        "name": "v0.6",
        "title": "a version of TimedExecute before 0.7",
        "signs": {
          "config/TimedExecute.json": {
            "keys": [
              "EnabledRealTime-Timer"
            ]
          }
        }
      }
    ]
  }
} as const;

export const pluginPresets: {
  readonly [Name in PluginKindName]: readonly DeclaredPreset<PluginConfigData[Name]>[];
} = {
  "automatic-doors": [
    {
      "name": "Quick",
      "description": "Doors close behind you. Replaces the three delays.",
      "config": {
        "min_delay_seconds": 1,
        "default_delay_seconds": 3,
        "max_delay_seconds": 10
      }
    },
    {
      "name": "Relaxed",
      "description": "Doors leave time to carry something. Replaces the three delays.",
      "config": {
        "min_delay_seconds": 5,
        "default_delay_seconds": 15,
        "max_delay_seconds": 60
      }
    }
  ],
  "chat": [
    {
      "name": "Players and admins",
      "description": "Two groups: all players, and admins in red. Replaces all groups; every other group is removed.",
      "config": {
        "groups": [
          {
            "group": "default",
            "priority": 1,
            "title": {
              "text": "[Player]",
              "color": "#55aaff",
              "size": 15
            }
          },
          {
            "group": "admin",
            "priority": 0,
            "title": {
              "text": "[Admin]",
              "color": "#ff4444",
              "size": 15
            }
          }
        ]
      }
    },
    {
      "name": "Calm",
      "description": "No floods and no long messages. Replaces the flood protection, the length of messages, and the number and order of titles.",
      "config": {
        "settings": {
          "max_titles": 1,
          "max_characters": 96,
          "reverses_titles": false
        },
        "anti_flood": {
          "cooldown_seconds": 8,
          "messages": 3
        }
      }
    }
  ],
  "furnace-splitting": [
    {
      "name": "Everywhere",
      "description": "Splits in every furnace without settings of its own, and adds the fuel. Replaces the settings for all furnaces.",
      "config": {
        "furnaces": {
          "all": {
            "is_enabled": true,
            "fuel_multiplier": 1
          }
        }
      }
    },
    {
      "name": "Furnaces only",
      "description": "Splits in furnaces, not in camp fires and barbeques. Replaces the settings for all, and those of the three kinds of furnaces.",
      "config": {
        "furnaces": {
          "all": {
            "is_enabled": false,
            "fuel_multiplier": 1
          },
          "furnace": {
            "is_enabled": true,
            "fuel_multiplier": 1
          },
          "large_furnace": {
            "is_enabled": true,
            "fuel_multiplier": 1
          },
          "electric_furnace": {
            "is_enabled": true,
            "fuel_multiplier": 1
          }
        }
      }
    }
  ],
  "gather": [
    {
      "name": "1x",
      "description": "The game's own yields. Replaces the rates for all resources and for nine single ones; other rates stay.",
      "config": {
        "gather": {
          "all": 1,
          "wood": 1,
          "stones": 1,
          "metal_ore": 1,
          "sulfur_ore": 1,
          "high_quality_metal_ore": 1,
          "cloth": 1,
          "leather": 1,
          "animal_fat": 1,
          "bone_fragments": 1
        },
        "pickup": {
          "all": 1,
          "wood": 1,
          "stones": 1,
          "metal_ore": 1,
          "sulfur_ore": 1,
          "high_quality_metal_ore": 1,
          "cloth": 1,
          "leather": 1,
          "animal_fat": 1,
          "bone_fragments": 1
        },
        "quarry": {
          "all": 1,
          "wood": 1,
          "stones": 1,
          "metal_ore": 1,
          "sulfur_ore": 1,
          "high_quality_metal_ore": 1,
          "cloth": 1,
          "leather": 1,
          "animal_fat": 1,
          "bone_fragments": 1
        },
        "excavator": {
          "all": 1,
          "wood": 1,
          "stones": 1,
          "metal_ore": 1,
          "sulfur_ore": 1,
          "high_quality_metal_ore": 1,
          "cloth": 1,
          "leather": 1,
          "animal_fat": 1,
          "bone_fragments": 1
        },
        "survey": {
          "all": 1,
          "wood": 1,
          "stones": 1,
          "metal_ore": 1,
          "sulfur_ore": 1,
          "high_quality_metal_ore": 1,
          "cloth": 1,
          "leather": 1,
          "animal_fat": 1,
          "bone_fragments": 1
        }
      }
    },
    {
      "name": "2x",
      "description": "Every yield times 2. Replaces the rates for all resources and for nine single ones; other rates stay.",
      "config": {
        "gather": {
          "all": 2,
          "wood": 2,
          "stones": 2,
          "metal_ore": 2,
          "sulfur_ore": 2,
          "high_quality_metal_ore": 2,
          "cloth": 2,
          "leather": 2,
          "animal_fat": 2,
          "bone_fragments": 2
        },
        "pickup": {
          "all": 2,
          "wood": 2,
          "stones": 2,
          "metal_ore": 2,
          "sulfur_ore": 2,
          "high_quality_metal_ore": 2,
          "cloth": 2,
          "leather": 2,
          "animal_fat": 2,
          "bone_fragments": 2
        },
        "quarry": {
          "all": 2,
          "wood": 2,
          "stones": 2,
          "metal_ore": 2,
          "sulfur_ore": 2,
          "high_quality_metal_ore": 2,
          "cloth": 2,
          "leather": 2,
          "animal_fat": 2,
          "bone_fragments": 2
        },
        "excavator": {
          "all": 2,
          "wood": 2,
          "stones": 2,
          "metal_ore": 2,
          "sulfur_ore": 2,
          "high_quality_metal_ore": 2,
          "cloth": 2,
          "leather": 2,
          "animal_fat": 2,
          "bone_fragments": 2
        },
        "survey": {
          "all": 2,
          "wood": 2,
          "stones": 2,
          "metal_ore": 2,
          "sulfur_ore": 2,
          "high_quality_metal_ore": 2,
          "cloth": 2,
          "leather": 2,
          "animal_fat": 2,
          "bone_fragments": 2
        }
      }
    },
    {
      "name": "3x",
      "description": "Every yield times 3. Replaces the rates for all resources and for nine single ones; other rates stay.",
      "config": {
        "gather": {
          "all": 3,
          "wood": 3,
          "stones": 3,
          "metal_ore": 3,
          "sulfur_ore": 3,
          "high_quality_metal_ore": 3,
          "cloth": 3,
          "leather": 3,
          "animal_fat": 3,
          "bone_fragments": 3
        },
        "pickup": {
          "all": 3,
          "wood": 3,
          "stones": 3,
          "metal_ore": 3,
          "sulfur_ore": 3,
          "high_quality_metal_ore": 3,
          "cloth": 3,
          "leather": 3,
          "animal_fat": 3,
          "bone_fragments": 3
        },
        "quarry": {
          "all": 3,
          "wood": 3,
          "stones": 3,
          "metal_ore": 3,
          "sulfur_ore": 3,
          "high_quality_metal_ore": 3,
          "cloth": 3,
          "leather": 3,
          "animal_fat": 3,
          "bone_fragments": 3
        },
        "excavator": {
          "all": 3,
          "wood": 3,
          "stones": 3,
          "metal_ore": 3,
          "sulfur_ore": 3,
          "high_quality_metal_ore": 3,
          "cloth": 3,
          "leather": 3,
          "animal_fat": 3,
          "bone_fragments": 3
        },
        "survey": {
          "all": 3,
          "wood": 3,
          "stones": 3,
          "metal_ore": 3,
          "sulfur_ore": 3,
          "high_quality_metal_ore": 3,
          "cloth": 3,
          "leather": 3,
          "animal_fat": 3,
          "bone_fragments": 3
        }
      }
    },
    {
      "name": "4x",
      "description": "Every yield times 4. Replaces the rates for all resources and for nine single ones; other rates stay.",
      "config": {
        "gather": {
          "all": 4,
          "wood": 4,
          "stones": 4,
          "metal_ore": 4,
          "sulfur_ore": 4,
          "high_quality_metal_ore": 4,
          "cloth": 4,
          "leather": 4,
          "animal_fat": 4,
          "bone_fragments": 4
        },
        "pickup": {
          "all": 4,
          "wood": 4,
          "stones": 4,
          "metal_ore": 4,
          "sulfur_ore": 4,
          "high_quality_metal_ore": 4,
          "cloth": 4,
          "leather": 4,
          "animal_fat": 4,
          "bone_fragments": 4
        },
        "quarry": {
          "all": 4,
          "wood": 4,
          "stones": 4,
          "metal_ore": 4,
          "sulfur_ore": 4,
          "high_quality_metal_ore": 4,
          "cloth": 4,
          "leather": 4,
          "animal_fat": 4,
          "bone_fragments": 4
        },
        "excavator": {
          "all": 4,
          "wood": 4,
          "stones": 4,
          "metal_ore": 4,
          "sulfur_ore": 4,
          "high_quality_metal_ore": 4,
          "cloth": 4,
          "leather": 4,
          "animal_fat": 4,
          "bone_fragments": 4
        },
        "survey": {
          "all": 4,
          "wood": 4,
          "stones": 4,
          "metal_ore": 4,
          "sulfur_ore": 4,
          "high_quality_metal_ore": 4,
          "cloth": 4,
          "leather": 4,
          "animal_fat": 4,
          "bone_fragments": 4
        }
      }
    },
    {
      "name": "5x",
      "description": "Every yield times 5. Replaces the rates for all resources and for nine single ones; other rates stay.",
      "config": {
        "gather": {
          "all": 5,
          "wood": 5,
          "stones": 5,
          "metal_ore": 5,
          "sulfur_ore": 5,
          "high_quality_metal_ore": 5,
          "cloth": 5,
          "leather": 5,
          "animal_fat": 5,
          "bone_fragments": 5
        },
        "pickup": {
          "all": 5,
          "wood": 5,
          "stones": 5,
          "metal_ore": 5,
          "sulfur_ore": 5,
          "high_quality_metal_ore": 5,
          "cloth": 5,
          "leather": 5,
          "animal_fat": 5,
          "bone_fragments": 5
        },
        "quarry": {
          "all": 5,
          "wood": 5,
          "stones": 5,
          "metal_ore": 5,
          "sulfur_ore": 5,
          "high_quality_metal_ore": 5,
          "cloth": 5,
          "leather": 5,
          "animal_fat": 5,
          "bone_fragments": 5
        },
        "excavator": {
          "all": 5,
          "wood": 5,
          "stones": 5,
          "metal_ore": 5,
          "sulfur_ore": 5,
          "high_quality_metal_ore": 5,
          "cloth": 5,
          "leather": 5,
          "animal_fat": 5,
          "bone_fragments": 5
        },
        "survey": {
          "all": 5,
          "wood": 5,
          "stones": 5,
          "metal_ore": 5,
          "sulfur_ore": 5,
          "high_quality_metal_ore": 5,
          "cloth": 5,
          "leather": 5,
          "animal_fat": 5,
          "bone_fragments": 5
        }
      }
    },
    {
      "name": "6x",
      "description": "Every yield times 6. Replaces the rates for all resources and for nine single ones; other rates stay.",
      "config": {
        "gather": {
          "all": 6,
          "wood": 6,
          "stones": 6,
          "metal_ore": 6,
          "sulfur_ore": 6,
          "high_quality_metal_ore": 6,
          "cloth": 6,
          "leather": 6,
          "animal_fat": 6,
          "bone_fragments": 6
        },
        "pickup": {
          "all": 6,
          "wood": 6,
          "stones": 6,
          "metal_ore": 6,
          "sulfur_ore": 6,
          "high_quality_metal_ore": 6,
          "cloth": 6,
          "leather": 6,
          "animal_fat": 6,
          "bone_fragments": 6
        },
        "quarry": {
          "all": 6,
          "wood": 6,
          "stones": 6,
          "metal_ore": 6,
          "sulfur_ore": 6,
          "high_quality_metal_ore": 6,
          "cloth": 6,
          "leather": 6,
          "animal_fat": 6,
          "bone_fragments": 6
        },
        "excavator": {
          "all": 6,
          "wood": 6,
          "stones": 6,
          "metal_ore": 6,
          "sulfur_ore": 6,
          "high_quality_metal_ore": 6,
          "cloth": 6,
          "leather": 6,
          "animal_fat": 6,
          "bone_fragments": 6
        },
        "survey": {
          "all": 6,
          "wood": 6,
          "stones": 6,
          "metal_ore": 6,
          "sulfur_ore": 6,
          "high_quality_metal_ore": 6,
          "cloth": 6,
          "leather": 6,
          "animal_fat": 6,
          "bone_fragments": 6
        }
      }
    },
    {
      "name": "7x",
      "description": "Every yield times 7. Replaces the rates for all resources and for nine single ones; other rates stay.",
      "config": {
        "gather": {
          "all": 7,
          "wood": 7,
          "stones": 7,
          "metal_ore": 7,
          "sulfur_ore": 7,
          "high_quality_metal_ore": 7,
          "cloth": 7,
          "leather": 7,
          "animal_fat": 7,
          "bone_fragments": 7
        },
        "pickup": {
          "all": 7,
          "wood": 7,
          "stones": 7,
          "metal_ore": 7,
          "sulfur_ore": 7,
          "high_quality_metal_ore": 7,
          "cloth": 7,
          "leather": 7,
          "animal_fat": 7,
          "bone_fragments": 7
        },
        "quarry": {
          "all": 7,
          "wood": 7,
          "stones": 7,
          "metal_ore": 7,
          "sulfur_ore": 7,
          "high_quality_metal_ore": 7,
          "cloth": 7,
          "leather": 7,
          "animal_fat": 7,
          "bone_fragments": 7
        },
        "excavator": {
          "all": 7,
          "wood": 7,
          "stones": 7,
          "metal_ore": 7,
          "sulfur_ore": 7,
          "high_quality_metal_ore": 7,
          "cloth": 7,
          "leather": 7,
          "animal_fat": 7,
          "bone_fragments": 7
        },
        "survey": {
          "all": 7,
          "wood": 7,
          "stones": 7,
          "metal_ore": 7,
          "sulfur_ore": 7,
          "high_quality_metal_ore": 7,
          "cloth": 7,
          "leather": 7,
          "animal_fat": 7,
          "bone_fragments": 7
        }
      }
    },
    {
      "name": "8x",
      "description": "Every yield times 8. Replaces the rates for all resources and for nine single ones; other rates stay.",
      "config": {
        "gather": {
          "all": 8,
          "wood": 8,
          "stones": 8,
          "metal_ore": 8,
          "sulfur_ore": 8,
          "high_quality_metal_ore": 8,
          "cloth": 8,
          "leather": 8,
          "animal_fat": 8,
          "bone_fragments": 8
        },
        "pickup": {
          "all": 8,
          "wood": 8,
          "stones": 8,
          "metal_ore": 8,
          "sulfur_ore": 8,
          "high_quality_metal_ore": 8,
          "cloth": 8,
          "leather": 8,
          "animal_fat": 8,
          "bone_fragments": 8
        },
        "quarry": {
          "all": 8,
          "wood": 8,
          "stones": 8,
          "metal_ore": 8,
          "sulfur_ore": 8,
          "high_quality_metal_ore": 8,
          "cloth": 8,
          "leather": 8,
          "animal_fat": 8,
          "bone_fragments": 8
        },
        "excavator": {
          "all": 8,
          "wood": 8,
          "stones": 8,
          "metal_ore": 8,
          "sulfur_ore": 8,
          "high_quality_metal_ore": 8,
          "cloth": 8,
          "leather": 8,
          "animal_fat": 8,
          "bone_fragments": 8
        },
        "survey": {
          "all": 8,
          "wood": 8,
          "stones": 8,
          "metal_ore": 8,
          "sulfur_ore": 8,
          "high_quality_metal_ore": 8,
          "cloth": 8,
          "leather": 8,
          "animal_fat": 8,
          "bone_fragments": 8
        }
      }
    },
    {
      "name": "9x",
      "description": "Every yield times 9. Replaces the rates for all resources and for nine single ones; other rates stay.",
      "config": {
        "gather": {
          "all": 9,
          "wood": 9,
          "stones": 9,
          "metal_ore": 9,
          "sulfur_ore": 9,
          "high_quality_metal_ore": 9,
          "cloth": 9,
          "leather": 9,
          "animal_fat": 9,
          "bone_fragments": 9
        },
        "pickup": {
          "all": 9,
          "wood": 9,
          "stones": 9,
          "metal_ore": 9,
          "sulfur_ore": 9,
          "high_quality_metal_ore": 9,
          "cloth": 9,
          "leather": 9,
          "animal_fat": 9,
          "bone_fragments": 9
        },
        "quarry": {
          "all": 9,
          "wood": 9,
          "stones": 9,
          "metal_ore": 9,
          "sulfur_ore": 9,
          "high_quality_metal_ore": 9,
          "cloth": 9,
          "leather": 9,
          "animal_fat": 9,
          "bone_fragments": 9
        },
        "excavator": {
          "all": 9,
          "wood": 9,
          "stones": 9,
          "metal_ore": 9,
          "sulfur_ore": 9,
          "high_quality_metal_ore": 9,
          "cloth": 9,
          "leather": 9,
          "animal_fat": 9,
          "bone_fragments": 9
        },
        "survey": {
          "all": 9,
          "wood": 9,
          "stones": 9,
          "metal_ore": 9,
          "sulfur_ore": 9,
          "high_quality_metal_ore": 9,
          "cloth": 9,
          "leather": 9,
          "animal_fat": 9,
          "bone_fragments": 9
        }
      }
    },
    {
      "name": "10x",
      "description": "Every yield times 10. Replaces the rates for all resources and for nine single ones; other rates stay.",
      "config": {
        "gather": {
          "all": 10,
          "wood": 10,
          "stones": 10,
          "metal_ore": 10,
          "sulfur_ore": 10,
          "high_quality_metal_ore": 10,
          "cloth": 10,
          "leather": 10,
          "animal_fat": 10,
          "bone_fragments": 10
        },
        "pickup": {
          "all": 10,
          "wood": 10,
          "stones": 10,
          "metal_ore": 10,
          "sulfur_ore": 10,
          "high_quality_metal_ore": 10,
          "cloth": 10,
          "leather": 10,
          "animal_fat": 10,
          "bone_fragments": 10
        },
        "quarry": {
          "all": 10,
          "wood": 10,
          "stones": 10,
          "metal_ore": 10,
          "sulfur_ore": 10,
          "high_quality_metal_ore": 10,
          "cloth": 10,
          "leather": 10,
          "animal_fat": 10,
          "bone_fragments": 10
        },
        "excavator": {
          "all": 10,
          "wood": 10,
          "stones": 10,
          "metal_ore": 10,
          "sulfur_ore": 10,
          "high_quality_metal_ore": 10,
          "cloth": 10,
          "leather": 10,
          "animal_fat": 10,
          "bone_fragments": 10
        },
        "survey": {
          "all": 10,
          "wood": 10,
          "stones": 10,
          "metal_ore": 10,
          "sulfur_ore": 10,
          "high_quality_metal_ore": 10,
          "cloth": 10,
          "leather": 10,
          "animal_fat": 10,
          "bone_fragments": 10
        }
      }
    }
  ],
  "kits": [
    {
      "name": "Starter",
      "description": "One starter kit, once a day. Replaces all kits; every other kit is removed.",
      "config": {
        "kits": {
          "starter": {
            "description": "To begin with",
            "cooldown_seconds": 86400,
            "items": [
              {
                "shortname": "stonehatchet",
                "amount": 1,
                "container": "belt",
                "position": 0,
                "condition": 100,
                "max_condition": 100
              },
              {
                "shortname": "stone.pickaxe",
                "amount": 1,
                "container": "belt",
                "position": 1,
                "condition": 100,
                "max_condition": 100
              },
              {
                "shortname": "burlap.shirt",
                "amount": 1,
                "container": "wear",
                "position": 0,
                "condition": 100,
                "max_condition": 100
              },
              {
                "shortname": "wood",
                "amount": 500,
                "container": "main",
                "position": 0
              }
            ]
          }
        }
      }
    }
  ],
  "loot": [
    {
      "name": "1x",
      "description": "Amounts as in the tables. Replaces the two multipliers; tables and groups stay.",
      "config": {
        "settings": {
          "loot": {
            "loot_multiplier": 1,
            "scrap_multiplier": 1
          }
        }
      }
    },
    {
      "name": "1x for version 3",
      "description": "Amounts as in the tables. Replaces the two multipliers; tables and groups stay.",
      "config": {
        "legacy_settings": {
          "loot": {
            "loot_multiplier": 1,
            "scrap_multiplier": 1
          }
        }
      }
    },
    {
      "name": "2x",
      "description": "Every item and scrap times 2. Replaces the two multipliers; tables and groups stay.",
      "config": {
        "settings": {
          "loot": {
            "loot_multiplier": 2,
            "scrap_multiplier": 2
          }
        }
      }
    },
    {
      "name": "2x for version 3",
      "description": "Every item and scrap times 2. Replaces the two multipliers; tables and groups stay.",
      "config": {
        "legacy_settings": {
          "loot": {
            "loot_multiplier": 2,
            "scrap_multiplier": 2
          }
        }
      }
    },
    {
      "name": "3x",
      "description": "Every item and scrap times 3. Replaces the two multipliers; tables and groups stay.",
      "config": {
        "settings": {
          "loot": {
            "loot_multiplier": 3,
            "scrap_multiplier": 3
          }
        }
      }
    },
    {
      "name": "3x for version 3",
      "description": "Every item and scrap times 3. Replaces the two multipliers; tables and groups stay.",
      "config": {
        "legacy_settings": {
          "loot": {
            "loot_multiplier": 3,
            "scrap_multiplier": 3
          }
        }
      }
    },
    {
      "name": "5x",
      "description": "Every item and scrap times 5. Replaces the two multipliers; tables and groups stay.",
      "config": {
        "settings": {
          "loot": {
            "loot_multiplier": 5,
            "scrap_multiplier": 5
          }
        }
      }
    },
    {
      "name": "5x for version 3",
      "description": "Every item and scrap times 5. Replaces the two multipliers; tables and groups stay.",
      "config": {
        "legacy_settings": {
          "loot": {
            "loot_multiplier": 5,
            "scrap_multiplier": 5
          }
        }
      }
    },
    {
      "name": "10x",
      "description": "Every item and scrap times 10. Replaces the two multipliers; tables and groups stay.",
      "config": {
        "settings": {
          "loot": {
            "loot_multiplier": 10,
            "scrap_multiplier": 10
          }
        }
      }
    },
    {
      "name": "10x for version 3",
      "description": "Every item and scrap times 10. Replaces the two multipliers; tables and groups stay.",
      "config": {
        "legacy_settings": {
          "loot": {
            "loot_multiplier": 10,
            "scrap_multiplier": 10
          }
        }
      }
    }
  ],
  "raidable-bases": [
    {
      "name": "Every day",
      "description": "Every difficulty on every day. Replaces the days of all difficulties.",
      "config": {
        "settings": {
          "settings": {
            "raid_management": {
              "easy_raids_can_spawn_on": {
                "monday": true,
                "tuesday": true,
                "wednesday": true,
                "thursday": true,
                "friday": true,
                "saturday": true,
                "sunday": true
              },
              "medium_raids_can_spawn_on": {
                "monday": true,
                "tuesday": true,
                "wednesday": true,
                "thursday": true,
                "friday": true,
                "saturday": true,
                "sunday": true
              },
              "hard_raids_can_spawn_on": {
                "monday": true,
                "tuesday": true,
                "wednesday": true,
                "thursday": true,
                "friday": true,
                "saturday": true,
                "sunday": true
              },
              "expert_raids_can_spawn_on": {
                "monday": true,
                "tuesday": true,
                "wednesday": true,
                "thursday": true,
                "friday": true,
                "saturday": true,
                "sunday": true
              },
              "nightmare_raids_can_spawn_on": {
                "monday": true,
                "tuesday": true,
                "wednesday": true,
                "thursday": true,
                "friday": true,
                "saturday": true,
                "sunday": true
              }
            }
          }
        }
      }
    },
    {
      "name": "Hard weekends",
      "description": "Expert and nightmare from Friday to Sunday only. Replaces the days of all difficulties.",
      "config": {
        "settings": {
          "settings": {
            "raid_management": {
              "easy_raids_can_spawn_on": {
                "monday": true,
                "tuesday": true,
                "wednesday": true,
                "thursday": true,
                "friday": true,
                "saturday": true,
                "sunday": true
              },
              "medium_raids_can_spawn_on": {
                "monday": true,
                "tuesday": true,
                "wednesday": true,
                "thursday": true,
                "friday": true,
                "saturday": true,
                "sunday": true
              },
              "hard_raids_can_spawn_on": {
                "monday": true,
                "tuesday": true,
                "wednesday": true,
                "thursday": true,
                "friday": true,
                "saturday": true,
                "sunday": true
              },
              "expert_raids_can_spawn_on": {
                "monday": false,
                "tuesday": false,
                "wednesday": false,
                "thursday": false,
                "friday": true,
                "saturday": true,
                "sunday": true
              },
              "nightmare_raids_can_spawn_on": {
                "monday": false,
                "tuesday": false,
                "wednesday": false,
                "thursday": false,
                "friday": true,
                "saturday": true,
                "sunday": true
              }
            }
          }
        }
      }
    }
  ],
  "teleport": [
    {
      "name": "Short ways",
      "description": "Few homes and long waits. Replaces the number of homes, and the waits and daily limits of homes and requests.",
      "config": {
        "home": {
          "homes_limit": 1,
          "cooldown": 1800,
          "countdown": 30,
          "daily_limit": 3
        },
        "tpr": {
          "cooldown": 1800,
          "countdown": 30,
          "daily_limit": 3
        }
      }
    },
    {
      "name": "Relaxed",
      "description": "Many homes and short waits. Replaces the number of homes, and the waits and daily limits of homes and requests.",
      "config": {
        "home": {
          "homes_limit": 5,
          "cooldown": 60,
          "countdown": 5,
          "daily_limit": 0
        },
        "tpr": {
          "cooldown": 60,
          "countdown": 5,
          "daily_limit": 0
        }
      }
    }
  ],
  "timed-commands": [
    {
      "name": "Save often",
      "description": "Saves the world every five minutes. Replaces all repeated commands; every other one is removed.",
      "config": {
        "timer_repeat": {
          "is_enabled": true,
          "commands": {
            "server.save": 300
          }
        }
      }
    },
    {
      "name": "Bright nights",
      "description": "Skips the night when it begins. Replaces all commands at times of the game; every other one is removed.",
      "config": {
        "in_game_time": {
          "is_enabled": true,
          "commands": {
            "20:00": "env.time 7"
          }
        }
      }
    },
    {
      "name": "Greetings",
      "description": "Welcomes players by name. Replaces all commands for players who join; every other one is removed.",
      "config": {
        "on_connect": [
          "say Welcome {player_name}"
        ]
      }
    }
  ]
};
