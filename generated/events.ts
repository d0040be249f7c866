// Generated from openapi/events.yaml; edit the catalogue instead.

/** The types of events, with what is said about each. */
export const eventCatalogue = {
  "instance.created": {
    "area": "instance",
    "permission": "fleet.view",
    "subject": "instance",
    "summary": "A game instance appeared on a host",
    "sentence": "Instance {{instance_name}} was created.",
    "example": {
      "instance_name": "main",
      "hostname": "rust-01",
      "game": "rust",
      "managed_by": "file"
    }
  },
  "instance.state_changed": {
    "area": "instance",
    "permission": "fleet.view",
    "subject": "instance",
    "summary": "A game instance changed its state",
    "sentence": "Instance {{instance_name}} changed from {{from}} to {{to}}.",
    "example": {
      "instance_name": "main",
      "from": "starting",
      "to": "running"
    }
  },
  "instance.crashed": {
    "area": "instance",
    "permission": "fleet.view",
    "subject": "instance",
    "summary": "A game server ended unexpectedly, reported once until it runs again or was stopped",
    "sentence": "Instance {{instance_name}} crashed on {{hostname}}.",
    "example": {
      "instance_name": "main",
      "hostname": "rust-01",
      "crashed_at": "2026-11-21T10:02:00.000Z"
    }
  },
  "instance.updated": {
    "area": "instance",
    "permission": "fleet.view",
    "subject": "instance",
    "summary": "An instance was renamed or assigned to a cluster",
    "sentence": "Instance {{instance_name}} was changed.",
    "example": {
      "instance_name": "main",
      "changed": [
        "cluster_id"
      ],
      "cluster_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01"
    }
  },
  "instance.deleted": {
    "area": "instance",
    "permission": "fleet.view",
    "subject": "instance",
    "summary": "A game instance was deleted",
    "sentence": "Instance {{instance_name}} was deleted.",
    "example": {
      "instance_name": "main",
      "hostname": "rust-01"
    }
  },
  "cluster.created": {
    "area": "instance",
    "permission": "fleet.view",
    "subject": "cluster",
    "summary": "A cluster was created",
    "sentence": "Cluster {{name}} was created.",
    "example": {
      "name": "EU islands"
    }
  },
  "cluster.updated": {
    "area": "instance",
    "permission": "fleet.view",
    "subject": "cluster",
    "summary": "A cluster was changed",
    "sentence": "Cluster {{name}} was changed.",
    "example": {
      "name": "EU islands",
      "changed": [
        "name"
      ]
    }
  },
  "cluster.deleted": {
    "area": "instance",
    "permission": "fleet.view",
    "subject": "cluster",
    "summary": "A cluster was deleted",
    "sentence": "Cluster {{name}} was deleted.",
    "example": {
      "name": "EU islands"
    }
  },
  "host.enrolled": {
    "area": "host",
    "permission": "fleet.view",
    "subject": "host",
    "summary": "An agent enrolled a host",
    "sentence": "Host {{hostname}} was enrolled.",
    "example": {
      "hostname": "rust-01",
      "platform": "linux-x64"
    }
  },
  "host.enrolment_code_created": {
    "area": "host",
    "permission": "fleet.view",
    "subject": "enrolment_code",
    "summary": "A code that enrolls a host was created",
    "sentence": "A code that enrolls a host was created.",
    "example": {
      "expires_at": "2026-11-21T10:12:00.000Z"
    }
  },
  "host.online": {
    "area": "host",
    "permission": "fleet.view",
    "subject": "host",
    "summary": "A host is online again, or for the first time",
    "sentence": "Host {{hostname}} is online.",
    "example": {
      "hostname": "rust-01",
      "agent_version": "0.1.0",
      "silent_since": "2026-11-21T09:58:00.000Z"
    }
  },
  "host.offline": {
    "area": "host",
    "permission": "fleet.view",
    "subject": "host",
    "summary": "A host went offline, with the instances on it",
    "sentence": "Host {{hostname}} went offline.",
    "example": {
      "hostname": "rust-01",
      "reason": "host_silent",
      "instances": [
        {
          "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
          "name": "main"
        }
      ]
    }
  },
  "host.key_reset": {
    "area": "host",
    "permission": "fleet.view",
    "subject": "host",
    "summary": "A host may enroll with a new key",
    "sentence": "The key of host {{hostname}} was reset.",
    "example": {
      "hostname": "rust-01",
      "expires_at": "2026-11-21T10:12:00.000Z"
    }
  },
  "host.deleted": {
    "area": "host",
    "permission": "fleet.view",
    "subject": "host",
    "summary": "A host was deleted",
    "sentence": "Host {{hostname}} was deleted.",
    "example": {
      "hostname": "rust-01"
    }
  },
  "host.key_replaced": {
    "area": "host",
    "permission": "fleet.view",
    "subject": "host",
    "summary": "The agent of a host enrolled with another key, after a reset",
    "sentence": "Host {{hostname}} has a new key.",
    "example": {
      "hostname": "rust-01"
    }
  },
  "command.created": {
    "area": "command",
    "permission": "commands.view",
    "subject": "command",
    "summary": "A command was requested",
    "sentence": "Command {{verb}} was requested.",
    "example": {
      "verb": "start",
      "instance_name": "main",
      "requested_by": "owner@example.com",
      "expires_at": "2026-11-21T10:12:00.000Z"
    }
  },
  "command.finished": {
    "area": "command",
    "permission": "commands.view",
    "subject": "command",
    "summary": "A command succeeded, failed or expired",
    "sentence": "Command {{verb}}: {{status}}.",
    "example": {
      "verb": "start",
      "instance_name": "main",
      "status": "succeeded",
      "error_code": null,
      "requested_by": "owner@example.com"
    }
  },
  "player.joined": {
    "area": "player",
    "permission": "players.view",
    "subject": "player",
    "summary": "A player joined a game server",
    "sentence": "{{name}} joined {{instance_name}}.",
    "example": {
      "steam_id": "76561197960287930",
      "name": "Aster",
      "instance_name": "main"
    }
  },
  "player.left": {
    "area": "player",
    "permission": "players.view",
    "subject": "player",
    "summary": "A player left a game server",
    "sentence": "{{name}} left {{instance_name}}.",
    "example": {
      "steam_id": "76561197960287930",
      "name": "Aster",
      "instance_name": "main"
    }
  },
  "player.kicked": {
    "area": "player",
    "permission": "players.view",
    "subject": "player",
    "summary": "A game server kicked a player",
    "sentence": "{{steam_id}} was kicked from {{instance_name}}.",
    "example": {
      "action_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f11",
      "steam_id": "76561197960287930",
      "instance_name": "main",
      "reason": "Cheating",
      "requested_by": "owner@example.com"
    }
  },
  "player.banned": {
    "area": "player",
    "permission": "players.view",
    "subject": "player",
    "summary": "A game server applied a ban",
    "sentence": "{{steam_id}} was banned from {{instance_name}}.",
    "example": {
      "action_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f11",
      "steam_id": "76561197960287930",
      "instance_name": "main",
      "reason": "Cheating",
      "until": null,
      "requested_by": "owner@example.com"
    }
  },
  "player.unbanned": {
    "area": "player",
    "permission": "players.view",
    "subject": "player",
    "summary": "A game server lifted a ban",
    "sentence": "{{steam_id}} may join {{instance_name}} again.",
    "example": {
      "action_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f11",
      "steam_id": "76561197960287930",
      "instance_name": "main",
      "requested_by": "owner@example.com"
    }
  },
  "player.messaged": {
    "area": "player",
    "permission": "players.view",
    "subject": "player",
    "summary": "A game server showed a message to a player",
    "sentence": "{{steam_id}} got a message on {{instance_name}}.",
    "example": {
      "action_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f11",
      "steam_id": "76561197960287930",
      "instance_name": "main",
      "message": "Please stop building here.",
      "requested_by": "owner@example.com"
    }
  },
  "player.noted": {
    "area": "player",
    "permission": "players.view",
    "subject": "player",
    "summary": "A note about a player was added",
    "sentence": "A note about {{steam_id}} was added on {{instance_name}}.",
    "example": {
      "action_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f11",
      "steam_id": "76561197960287930",
      "instance_name": "main",
      "requested_by": "owner@example.com"
    }
  },
  "player.action_failed": {
    "area": "player",
    "permission": "players.view",
    "subject": "player",
    "summary": "A kick, ban, unban or message failed or expired",
    "sentence": "{{kind}} of {{steam_id}} failed on {{instance_name}}.",
    "example": {
      "action_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f11",
      "kind": "ban",
      "steam_id": "76561197960287930",
      "instance_name": "main",
      "error_code": "agent_offline",
      "requested_by": "owner@example.com"
    }
  },
  "wipe.planned": {
    "area": "wipe",
    "permission": "wipes.view",
    "subject": "wipe",
    "summary": "A wipe was requested",
    "sentence": "A {{kind}} wipe of {{instance_name}} was planned.",
    "example": {
      "instance_name": "main",
      "kind": "map",
      "countdown_seconds": 600,
      "seed": 4711,
      "world_size": 4000,
      "map_id": null,
      "requested_by": "owner@example.com"
    }
  },
  "wipe.phase_changed": {
    "area": "wipe",
    "permission": "wipes.view",
    "subject": "wipe",
    "summary": "A wipe entered its next phase",
    "sentence": "The wipe of {{instance_name}} is {{to}}.",
    "example": {
      "instance_name": "main",
      "from": "announcing",
      "to": "stopping",
      "due_at": "2026-11-21T10:10:00.000Z"
    }
  },
  "wipe.completed": {
    "area": "wipe",
    "permission": "wipes.view",
    "subject": "wipe",
    "summary": "A wipe was completed as planned",
    "sentence": "{{instance_name}} was wiped ({{kind}}).",
    "example": {
      "wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7d01",
      "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
      "instance_name": "main",
      "kind": "map",
      "seed": 4711,
      "world_size": 4000,
      "map_id": null,
      "requested_by": "owner@example.com"
    }
  },
  "wipe.failed": {
    "area": "wipe",
    "permission": "wipes.view",
    "subject": "wipe",
    "summary": "A wipe ended with an error",
    "sentence": "The wipe of {{instance_name}} failed.",
    "example": {
      "instance_name": "main",
      "kind": "map",
      "error_code": "disk_full",
      "detail": "The disk of the host is full."
    }
  },
  "wipe.rolled_back": {
    "area": "wipe",
    "permission": "wipes.view",
    "subject": "wipe",
    "summary": "A wipe failed and its changes were undone",
    "sentence": "The wipe of {{instance_name}} was rolled back.",
    "example": {
      "instance_name": "main",
      "kind": "map",
      "error_code": "disk_full",
      "detail": "The disk of the host is full."
    }
  },
  "wipe.cancelled": {
    "area": "wipe",
    "permission": "wipes.view",
    "subject": "wipe",
    "summary": "A wipe was cancelled before it began",
    "sentence": "The wipe of {{instance_name}} was cancelled.",
    "example": {
      "instance_name": "main",
      "kind": "map",
      "error_code": null,
      "detail": null
    }
  },
  "backup.created": {
    "area": "backup",
    "permission": "backups.view",
    "subject": "backup",
    "summary": "A backup was made",
    "sentence": "A backup of {{instance_name}} was made.",
    "example": {
      "instance_name": "main",
      "kind": "scheduled",
      "size": 1048576,
      "is_partial": false
    }
  },
  "backup.deleted": {
    "area": "backup",
    "permission": "backups.view",
    "subject": "backup",
    "summary": "A backup was deleted, on request or by the number that is kept",
    "sentence": "A backup of {{instance_name}} was deleted.",
    "example": {
      "instance_name": "main",
      "kind": "scheduled",
      "size": 1048576,
      "is_partial": false
    }
  },
  "backup.restored": {
    "area": "backup",
    "permission": "backups.view",
    "subject": "backup",
    "summary": "A backup was restored",
    "sentence": "A backup of {{instance_name}} was restored.",
    "example": {
      "instance_name": "main",
      "requested_by": "owner@example.com"
    }
  },
  "backup.failed": {
    "area": "backup",
    "permission": "backups.view",
    "subject": "backup",
    "summary": "Making or restoring a backup failed",
    "sentence": "{{verb}} failed on {{instance_name}}.",
    "example": {
      "verb": "create_backup",
      "instance_name": "main",
      "error_code": "disk_full",
      "requested_by": "owner@example.com"
    }
  },
  "backup.updated": {
    "area": "backup",
    "permission": "backups.view",
    "subject": "backup",
    "summary": "A backup was pinned or unpinned, or its note was changed",
    "sentence": "A backup of {{instance_name}} was changed.",
    "example": {
      "instance_name": "main",
      "changed": [
        "is_pinned"
      ],
      "is_pinned": true
    }
  },
  "backup.policy_changed": {
    "area": "backup",
    "permission": "backups.view",
    "subject": "instance",
    "summary": "The number of backups that are kept of an instance was changed",
    "sentence": "{{keep}} backups of {{instance_name}} are kept.",
    "example": {
      "instance_name": "main",
      "keep": 14
    }
  },
  "plugin.installed": {
    "area": "plugin",
    "permission": "plugins.view",
    "subject": "plugin",
    "summary": "A plugin was installed",
    "sentence": "{{plugin}} was installed on {{instance_name}}.",
    "example": {
      "plugin": "Kits.cs",
      "instance_name": "main",
      "requested_by": "owner@example.com"
    }
  },
  "plugin.uninstalled": {
    "area": "plugin",
    "permission": "plugins.view",
    "subject": "plugin",
    "summary": "A plugin was uninstalled",
    "sentence": "{{plugin}} was uninstalled from {{instance_name}}.",
    "example": {
      "plugin": "Kits.cs",
      "instance_name": "main",
      "requested_by": "owner@example.com"
    }
  },
  "plugin.loaded": {
    "area": "plugin",
    "permission": "plugins.view",
    "subject": "plugin",
    "summary": "A plugin was loaded",
    "sentence": "{{plugin}} was loaded on {{instance_name}}.",
    "example": {
      "plugin": "Kits.cs",
      "instance_name": "main",
      "requested_by": "owner@example.com"
    }
  },
  "plugin.unloaded": {
    "area": "plugin",
    "permission": "plugins.view",
    "subject": "plugin",
    "summary": "A plugin was unloaded",
    "sentence": "{{plugin}} was unloaded on {{instance_name}}.",
    "example": {
      "plugin": "Kits.cs",
      "instance_name": "main",
      "requested_by": "owner@example.com"
    }
  },
  "plugin.reloaded": {
    "area": "plugin",
    "permission": "plugins.view",
    "subject": "plugin",
    "summary": "A plugin was reloaded",
    "sentence": "{{plugin}} was reloaded on {{instance_name}}.",
    "example": {
      "plugin": "Kits.cs",
      "instance_name": "main",
      "requested_by": "owner@example.com"
    }
  },
  "plugin.restored": {
    "area": "plugin",
    "permission": "plugins.view",
    "subject": "plugin",
    "summary": "A former version of a plugin was restored",
    "sentence": "{{plugin}} was restored on {{instance_name}}.",
    "example": {
      "plugin": "Kits.cs",
      "instance_name": "main",
      "requested_by": "owner@example.com"
    }
  },
  "plugin.failed": {
    "area": "plugin",
    "permission": "plugins.view",
    "subject": "plugin",
    "summary": "A change of a plugin failed",
    "sentence": "{{verb}} of {{plugin}} failed on {{instance_name}}.",
    "example": {
      "plugin": "Kits.cs",
      "instance_name": "main",
      "requested_by": "owner@example.com",
      "verb": "load_plugin",
      "error_code": "plugin_failed"
    }
  },
  "config.created": {
    "area": "config",
    "permission": "pluginconfigs.view",
    "subject": "config",
    "summary": "A plugin configuration was created",
    "sentence": "Configuration {{name}} ({{kind}}) was created.",
    "example": {
      "kind": "kits",
      "name": "Weekend",
      "version": 3
    }
  },
  "config.updated": {
    "area": "config",
    "permission": "pluginconfigs.view",
    "subject": "config",
    "summary": "A plugin configuration was changed",
    "sentence": "Configuration {{name}} ({{kind}}) was changed.",
    "example": {
      "kind": "kits",
      "name": "Weekend",
      "version": 3
    }
  },
  "config.deleted": {
    "area": "config",
    "permission": "pluginconfigs.view",
    "subject": "config",
    "summary": "A plugin configuration was deleted",
    "sentence": "Configuration {{name}} ({{kind}}) was deleted.",
    "example": {
      "kind": "kits",
      "name": "Weekend",
      "version": 3
    }
  },
  "config.applied": {
    "area": "config",
    "permission": "pluginconfigs.view",
    "subject": "plugin_application",
    "summary": "A plugin configuration was applied to an instance",
    "sentence": "A configuration ({{kind}}) was applied to {{instance_name}}.",
    "example": {
      "config_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1fc001",
      "kind": "kits",
      "instance_name": "main",
      "requested_by": "owner@example.com"
    }
  },
  "config.application_failed": {
    "area": "config",
    "permission": "pluginconfigs.view",
    "subject": "plugin_application",
    "summary": "A plugin configuration could not be applied to an instance",
    "sentence": "A configuration ({{kind}}) could not be applied to {{instance_name}}.",
    "example": {
      "config_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1fc001",
      "kind": "kits",
      "instance_name": "main",
      "requested_by": "owner@example.com",
      "error_code": "agent_offline"
    }
  },
  "config.application_created": {
    "area": "config",
    "permission": "pluginconfigs.view",
    "subject": "plugin_application",
    "summary": "The application of a plugin configuration to an instance was requested",
    "sentence": "A configuration ({{kind}}) will be applied to {{instance_name}}.",
    "example": {
      "config_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1fc001",
      "kind": "kits",
      "instance_name": "main",
      "requested_by": "owner@example.com"
    }
  },
  "config.player_commands_cleared": {
    "area": "config",
    "permission": "pluginconfigs.view",
    "subject": "instance",
    "summary": "The join and leave commands of an instance were cleared",
    "sentence": "The join and leave commands of {{instance_name}} were cleared.",
    "example": {
      "instance_name": "main"
    }
  },
  "alert.raised": {
    "area": "alert",
    "permission": "alerts.view",
    "subject": "alert",
    "summary": "An alert was raised",
    "sentence": "{{severity}}: {{kind}} on {{subject_name}}.",
    "example": {
      "kind": "low_fps",
      "severity": "Warning",
      "subject_name": "main",
      "hostname": "rust-01",
      "metadata": {
        "fps": 9.1
      }
    }
  },
  "alert.reopened": {
    "area": "alert",
    "permission": "alerts.view",
    "subject": "alert",
    "summary": "An alert recurred soon after it had recovered",
    "sentence": "{{severity}}: {{kind}} again on {{subject_name}}.",
    "example": {
      "kind": "low_fps",
      "severity": "Warning",
      "subject_name": "main",
      "hostname": "rust-01",
      "metadata": {
        "fps": 9.1
      }
    }
  },
  "alert.recovered": {
    "area": "alert",
    "permission": "alerts.view",
    "subject": "alert",
    "summary": "The cause of an alert is gone",
    "sentence": "{{kind}} on {{subject_name}} has recovered.",
    "example": {
      "kind": "low_fps",
      "severity": "Warning",
      "subject_name": "main",
      "hostname": "rust-01",
      "metadata": {
        "fps": 9.1
      }
    }
  },
  "alert.ended": {
    "area": "alert",
    "permission": "alerts.view",
    "subject": "alert",
    "summary": "An alert ended without a recovery",
    "sentence": "{{kind}} on {{subject_name}} has ended.",
    "example": {
      "kind": "low_fps",
      "severity": "Warning",
      "subject_name": "main",
      "hostname": "rust-01",
      "metadata": {
        "fps": 9.1
      },
      "reason": "turned_off"
    }
  },
  "alert.acknowledged": {
    "area": "alert",
    "permission": "alerts.view",
    "subject": "alert",
    "summary": "A member acknowledged an alert",
    "sentence": "{{acknowledged_by}} acknowledged {{kind}} on {{subject_name}}.",
    "example": {
      "kind": "low_fps",
      "severity": "Warning",
      "subject_name": "main",
      "acknowledged_by": "owner@example.com"
    }
  },
  "alert.unacknowledged": {
    "area": "alert",
    "permission": "alerts.view",
    "subject": "alert",
    "summary": "A member withdrew the acknowledgement of an alert",
    "sentence": "{{kind}} on {{subject_name}} is no longer acknowledged.",
    "example": {
      "kind": "low_fps",
      "severity": "Warning",
      "subject_name": "main"
    }
  },
  "alert.rules_changed": {
    "area": "alert",
    "permission": "alerts.view",
    "subject": "license",
    "summary": "The rules that raise alerts were changed",
    "sentence": "The rules for alerts were changed.",
    "example": {
      "version": 3
    }
  },
  "member.invited": {
    "area": "member",
    "permission": "team.view",
    "subject": "invitation",
    "summary": "A person was invited to the license",
    "sentence": "{{email}} was invited as {{role}}.",
    "example": {
      "email": "watch@example.com",
      "role": "Night watch",
      "expires_at": "2026-11-21T10:12:00.000Z"
    }
  },
  "member.invitation_revoked": {
    "area": "member",
    "permission": "team.view",
    "subject": "invitation",
    "summary": "An invitation was revoked",
    "sentence": "The invitation of {{email}} was revoked.",
    "example": {
      "email": "watch@example.com",
      "role": "Night watch"
    }
  },
  "member.joined": {
    "area": "member",
    "permission": "team.view",
    "subject": "member",
    "summary": "A member joined the license",
    "sentence": "{{email}} joined as {{role}}.",
    "example": {
      "email": "watch@example.com",
      "role": "Night watch"
    }
  },
  "member.role_changed": {
    "area": "member",
    "permission": "team.view",
    "subject": "member",
    "summary": "A member got another role",
    "sentence": "{{email}} is {{role}} now.",
    "example": {
      "email": "watch@example.com",
      "role": "Night watch",
      "former_role": "Night watch"
    }
  },
  "member.removed": {
    "area": "member",
    "permission": "team.view",
    "subject": "member",
    "summary": "A member left or was removed",
    "sentence": "{{email}} is no longer a member.",
    "example": {
      "email": "watch@example.com",
      "role": "Night watch"
    }
  },
  "role.created": {
    "area": "role",
    "permission": "roles.view",
    "subject": "role",
    "summary": "A role was created",
    "sentence": "Role {{name}} was created.",
    "example": {
      "name": "Night watch",
      "version": 1
    }
  },
  "role.updated": {
    "area": "role",
    "permission": "roles.view",
    "subject": "role",
    "summary": "A role was changed",
    "sentence": "Role {{name}} was changed.",
    "example": {
      "name": "Night watch",
      "version": 3
    }
  },
  "role.deleted": {
    "area": "role",
    "permission": "roles.view",
    "subject": "role",
    "summary": "A role was deleted",
    "sentence": "Role {{name}} was deleted.",
    "example": {
      "name": "Night watch",
      "version": 3
    }
  },
  "key.created": {
    "area": "key",
    "permission": "apikeys.view",
    "subject": "key",
    "summary": "An API key was created",
    "sentence": "API key {{name}} was created.",
    "example": {
      "identifier": "mz4qk7c2ayw3hd5n",
      "name": "Deploy bot",
      "permissions": [
        "fleet.view"
      ],
      "expires_at": "2026-11-21T10:12:00.000Z"
    }
  },
  "key.revoked": {
    "area": "key",
    "permission": "apikeys.view",
    "subject": "key",
    "summary": "An API key was revoked",
    "sentence": "API key {{name}} was revoked.",
    "example": {
      "identifier": "mz4qk7c2ayw3hd5n",
      "name": "Deploy bot"
    }
  },
  "order.created": {
    "area": "order",
    "permission": "webstore.view",
    "subject": "order",
    "summary": "A player ordered in the store",
    "sentence": "An order of {{total.amount}} {{total.currency}} was created.",
    "example": {
      "steam_id": "76561197960287930",
      "total": {
        "amount": "9.99",
        "currency": "USD"
      },
      "provider": "stripe",
      "is_test": false
    }
  },
  "order.paid": {
    "area": "order",
    "permission": "webstore.view",
    "subject": "order",
    "summary": "An order was paid",
    "sentence": "An order of {{total.amount}} {{total.currency}} was paid.",
    "example": {
      "steam_id": "76561197960287930",
      "status": "paid",
      "former_status": "pending",
      "total": {
        "amount": "9.99",
        "currency": "USD"
      },
      "refunded": {
        "amount": "0.00",
        "currency": "USD"
      }
    }
  },
  "order.failed": {
    "area": "order",
    "permission": "webstore.view",
    "subject": "order",
    "summary": "The payment of an order failed",
    "sentence": "The payment of an order of {{total.amount}} {{total.currency}} failed.",
    "example": {
      "steam_id": "76561197960287930",
      "status": "failed",
      "former_status": "pending",
      "total": {
        "amount": "9.99",
        "currency": "USD"
      },
      "refunded": {
        "amount": "0.00",
        "currency": "USD"
      }
    }
  },
  "order.expired": {
    "area": "order",
    "permission": "webstore.view",
    "subject": "order",
    "summary": "An order was not paid in time",
    "sentence": "An order of {{total.amount}} {{total.currency}} expired.",
    "example": {
      "steam_id": "76561197960287930",
      "status": "expired",
      "former_status": "pending",
      "total": {
        "amount": "9.99",
        "currency": "USD"
      },
      "refunded": {
        "amount": "0.00",
        "currency": "USD"
      }
    }
  },
  "order.refunded": {
    "area": "order",
    "permission": "webstore.view",
    "subject": "order",
    "summary": "An order was refunded as a whole",
    "sentence": "An order of {{total.amount}} {{total.currency}} was refunded.",
    "example": {
      "steam_id": "76561197960287930",
      "status": "refunded",
      "former_status": "paid",
      "total": {
        "amount": "9.99",
        "currency": "USD"
      },
      "refunded": {
        "amount": "9.99",
        "currency": "USD"
      }
    }
  },
  "order.partially_refunded": {
    "area": "order",
    "permission": "webstore.view",
    "subject": "order",
    "summary": "A part of an order was refunded",
    "sentence": "{{refunded.amount}} {{refunded.currency}} of an order were refunded.",
    "example": {
      "steam_id": "76561197960287930",
      "status": "partially_refunded",
      "former_status": "paid",
      "total": {
        "amount": "9.99",
        "currency": "USD"
      },
      "refunded": {
        "amount": "2.00",
        "currency": "USD"
      }
    }
  },
  "order.refund_failed": {
    "area": "order",
    "permission": "webstore.view",
    "subject": "order",
    "summary": "A refund failed at the payment provider and no longer counts",
    "sentence": "A refund of an order of {{total.amount}} {{total.currency}} failed.",
    "example": {
      "steam_id": "76561197960287930",
      "status": "paid",
      "former_status": "refunded",
      "total": {
        "amount": "9.99",
        "currency": "USD"
      },
      "refunded": {
        "amount": "0.00",
        "currency": "USD"
      }
    }
  },
  "order.disputed": {
    "area": "order",
    "permission": "webstore.view",
    "subject": "order",
    "summary": "A buyer disputed a payment",
    "sentence": "The payment of an order of {{total.amount}} {{total.currency}} is disputed.",
    "example": {
      "steam_id": "76561197960287930",
      "status": "disputed",
      "former_status": "paid",
      "total": {
        "amount": "9.99",
        "currency": "USD"
      },
      "refunded": {
        "amount": "0.00",
        "currency": "USD"
      }
    }
  },
  "order.dispute_closed": {
    "area": "order",
    "permission": "webstore.view",
    "subject": "order",
    "summary": "A dispute was won or lost",
    "sentence": "The dispute about an order of {{total.amount}} {{total.currency}} is closed.",
    "example": {
      "steam_id": "76561197960287930",
      "status": "paid",
      "former_status": "disputed",
      "total": {
        "amount": "9.99",
        "currency": "USD"
      },
      "refunded": {
        "amount": "0.00",
        "currency": "USD"
      }
    }
  },
  "order.problem_found": {
    "area": "order",
    "permission": "webstore.view",
    "subject": "order",
    "summary": "An order needs attention",
    "sentence": "An order needs attention: {{problem}}",
    "example": {
      "status": "paid",
      "problem": "The provider's event contradicts the order."
    }
  },
  "delivery.created": {
    "area": "delivery",
    "permission": "webstore.view",
    "subject": "delivery",
    "summary": "A delivery to a player or its revocation was planned",
    "sentence": "{{item_name}} will be delivered on {{instance_name}}.",
    "example": {
      "order_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01",
      "item_name": "VIP",
      "kind": "delivery",
      "steam_id": "76561197960287930",
      "instance_name": "main"
    }
  },
  "delivery.delivered": {
    "area": "delivery",
    "permission": "webstore.view",
    "subject": "delivery",
    "summary": "A game server delivered a purchased item",
    "sentence": "{{item_name}} was delivered on {{instance_name}}.",
    "example": {
      "order_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01",
      "item_name": "VIP",
      "kind": "delivery",
      "steam_id": "76561197960287930",
      "instance_name": "main",
      "attempt_count": 1,
      "error_code": null
    }
  },
  "delivery.failed": {
    "area": "delivery",
    "permission": "webstore.view",
    "subject": "delivery",
    "summary": "A purchased item could not be delivered",
    "sentence": "{{item_name}} could not be delivered on {{instance_name}}.",
    "example": {
      "order_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01",
      "item_name": "VIP",
      "kind": "delivery",
      "steam_id": "76561197960287930",
      "instance_name": "main",
      "attempt_count": 1,
      "error_code": "game_unreachable"
    }
  },
  "delivery.uncertain": {
    "area": "delivery",
    "permission": "webstore.view",
    "subject": "delivery",
    "summary": "A delivery may or may not have reached the game",
    "sentence": "The delivery of {{item_name}} on {{instance_name}} is uncertain.",
    "example": {
      "order_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01",
      "item_name": "VIP",
      "kind": "delivery",
      "steam_id": "76561197960287930",
      "instance_name": "main",
      "attempt_count": 1,
      "error_code": "interrupted"
    }
  },
  "delivery.expired": {
    "area": "delivery",
    "permission": "webstore.view",
    "subject": "delivery",
    "summary": "A delivery waited too long for its player",
    "sentence": "The delivery of {{item_name}} on {{instance_name}} expired.",
    "example": {
      "order_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01",
      "item_name": "VIP",
      "kind": "delivery",
      "steam_id": "76561197960287930",
      "instance_name": "main",
      "attempt_count": 0,
      "error_code": null
    }
  },
  "delivery.cancelled": {
    "area": "delivery",
    "permission": "webstore.view",
    "subject": "delivery",
    "summary": "A delivery was cancelled, for example because the payment was refunded",
    "sentence": "The delivery of {{item_name}} on {{instance_name}} was cancelled.",
    "example": {
      "order_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01",
      "item_name": "VIP",
      "kind": "delivery",
      "steam_id": "76561197960287930",
      "instance_name": "main",
      "attempt_count": 0,
      "error_code": null
    }
  },
  "store.updated": {
    "area": "store",
    "permission": "webstore.view",
    "subject": "store",
    "summary": "The settings of the store were changed",
    "sentence": "The store was changed.",
    "example": {
      "version": 3,
      "is_enabled": true
    }
  },
  "store.item_created": {
    "area": "store",
    "permission": "webstore.view",
    "subject": "store_item",
    "summary": "A store item was created",
    "sentence": "Item {{name}} was created.",
    "example": {
      "name": "VIP",
      "is_enabled": true
    }
  },
  "store.item_updated": {
    "area": "store",
    "permission": "webstore.view",
    "subject": "store_item",
    "summary": "A store item was changed",
    "sentence": "Item {{name}} was changed.",
    "example": {
      "name": "VIP",
      "is_enabled": true
    }
  },
  "store.item_deleted": {
    "area": "store",
    "permission": "webstore.view",
    "subject": "store_item",
    "summary": "A store item was deleted",
    "sentence": "Item {{name}} was deleted.",
    "example": {
      "name": "VIP",
      "is_enabled": true
    }
  },
  "store.category_created": {
    "area": "store",
    "permission": "webstore.view",
    "subject": "store_category",
    "summary": "A store category was created",
    "sentence": "Category {{name}} was created.",
    "example": {
      "name": "Ranks"
    }
  },
  "store.category_updated": {
    "area": "store",
    "permission": "webstore.view",
    "subject": "store_category",
    "summary": "A store category was changed",
    "sentence": "Category {{name}} was changed.",
    "example": {
      "name": "Ranks"
    }
  },
  "store.category_deleted": {
    "area": "store",
    "permission": "webstore.view",
    "subject": "store_category",
    "summary": "A store category was deleted",
    "sentence": "Category {{name}} was deleted.",
    "example": {
      "name": "Ranks"
    }
  },
  "store.provider_connected": {
    "area": "store",
    "permission": "webstore.view",
    "subject": "store",
    "summary": "An account at a payment provider was connected, or its keys were replaced",
    "sentence": "An account at {{provider}} was connected.",
    "example": {
      "provider": "stripe",
      "is_test": false
    }
  },
  "store.provider_disconnected": {
    "area": "store",
    "permission": "webstore.view",
    "subject": "store",
    "summary": "An account at a payment provider was disconnected",
    "sentence": "The account at {{provider}} was disconnected.",
    "example": {
      "provider": "stripe",
      "is_test": false
    }
  },
  "store.subscription_changed": {
    "area": "store",
    "permission": "webstore.view",
    "subject": "subscription",
    "summary": "The subscription to the store was started, renewed, cancelled or ended",
    "sentence": "The subscription to the store is {{status}}.",
    "example": {
      "status": "active",
      "ends_at": "2026-12-21T10:00:00.000Z"
    }
  },
  "license.created": {
    "area": "license",
    "permission": "license.view",
    "subject": "license",
    "summary": "The license was created",
    "sentence": "License {{name}} was created.",
    "example": {
      "name": "Rusty Islands",
      "subdomain": "rusty-islands"
    }
  },
  "license.updated": {
    "area": "license",
    "permission": "license.view",
    "subject": "license",
    "summary": "The license was renamed or got another subdomain",
    "sentence": "License {{name}} was changed.",
    "example": {
      "name": "Rusty Islands",
      "subdomain": "rusty-islands",
      "changed": [
        "name"
      ]
    }
  },
  "license.key_replaced": {
    "area": "license",
    "permission": "license.view",
    "subject": "license",
    "summary": "The license key was replaced",
    "sentence": "The key of license {{name}} was replaced.",
    "example": {
      "name": "Rusty Islands"
    }
  },
  "license.token_rotated": {
    "area": "license",
    "permission": "license.view",
    "subject": "license",
    "summary": "The companion token was rotated",
    "sentence": "The companion token of license {{name}} was rotated.",
    "example": {
      "name": "Rusty Islands",
      "former_token_expires_at": "2026-11-22T10:00:00.000Z"
    }
  },
  "license.suspended": {
    "area": "license",
    "permission": "license.view",
    "subject": "license",
    "summary": "The platform or the reseller suspended the license",
    "sentence": "License {{name}} was suspended.",
    "example": {
      "name": "Rusty Islands",
      "by": "reseller"
    }
  },
  "license.resumed": {
    "area": "license",
    "permission": "license.view",
    "subject": "license",
    "summary": "The license is active again",
    "sentence": "License {{name}} is active again.",
    "example": {
      "name": "Rusty Islands"
    }
  },
  "migration.imported": {
    "area": "license",
    "permission": "license.view",
    "subject": "license",
    "summary": "A migration document was imported",
    "sentence": "A migration document was imported.",
    "example": {
      "parts": [
        "roles",
        "schedules"
      ]
    }
  },
  "bill.charged": {
    "area": "bill",
    "permission": "modules.view",
    "subject": "module_purchase",
    "summary": "A module was charged",
    "sentence": "{{amount.amount}} {{amount.currency}} were charged for {{module}}.",
    "example": {
      "module": "loot-manager",
      "amount": {
        "amount": "4.00",
        "currency": "USD"
      },
      "period_start": "2026-11-21T10:00:00.000Z",
      "period_end": "2026-12-21T10:00:00.000Z"
    }
  },
  "subscription.started": {
    "area": "subscription",
    "permission": "modules.view",
    "subject": "subscription",
    "summary": "A subscription to a module started",
    "sentence": "The subscription to {{module}} started.",
    "example": {
      "module": "loot-manager",
      "status": "active",
      "ends_at": null
    }
  },
  "subscription.renewed": {
    "area": "subscription",
    "permission": "modules.view",
    "subject": "subscription",
    "summary": "A subscription entered its next paid period",
    "sentence": "The subscription to {{module}} was renewed.",
    "example": {
      "module": "loot-manager",
      "status": "active",
      "ends_at": null
    }
  },
  "subscription.past_due": {
    "area": "subscription",
    "permission": "modules.view",
    "subject": "subscription",
    "summary": "A subscription could not be renewed",
    "sentence": "The subscription to {{module}} is past due.",
    "example": {
      "module": "loot-manager",
      "status": "past_due",
      "ends_at": null
    }
  },
  "subscription.cancelled": {
    "area": "subscription",
    "permission": "modules.view",
    "subject": "subscription",
    "summary": "A subscription was cancelled at the end of its period",
    "sentence": "The subscription to {{module}} was cancelled.",
    "example": {
      "module": "loot-manager",
      "status": "cancelled",
      "ends_at": "2026-12-21T10:00:00.000Z"
    }
  },
  "subscription.expired": {
    "area": "subscription",
    "permission": "modules.view",
    "subject": "subscription",
    "summary": "A subscription has ended",
    "sentence": "The subscription to {{module}} has ended.",
    "example": {
      "module": "loot-manager",
      "status": "expired",
      "ends_at": "2026-12-21T10:00:00.000Z"
    }
  },
  "subscription.reactivated": {
    "area": "subscription",
    "permission": "modules.view",
    "subject": "subscription",
    "summary": "A cancellation was withdrawn",
    "sentence": "The subscription to {{module}} continues.",
    "example": {
      "module": "loot-manager",
      "status": "active",
      "ends_at": null
    }
  },
  "module.purchased": {
    "area": "module",
    "permission": "modules.view",
    "subject": "module_purchase",
    "summary": "A module was bought",
    "sentence": "Module {{module}} was bought.",
    "example": {
      "module": "loot-manager",
      "amount": {
        "amount": "4.00",
        "currency": "USD"
      }
    }
  },
  "module.installed": {
    "area": "module",
    "permission": "modules.view",
    "subject": "module_installation",
    "summary": "A module was installed on an instance",
    "sentence": "Module {{module}} was installed on {{instance_name}}.",
    "example": {
      "module": "loot-manager",
      "instance_name": "main"
    }
  },
  "module.uninstalled": {
    "area": "module",
    "permission": "modules.view",
    "subject": "module_installation",
    "summary": "A module was uninstalled from an instance",
    "sentence": "Module {{module}} was uninstalled from {{instance_name}}.",
    "example": {
      "module": "loot-manager",
      "instance_name": "main"
    }
  },
  "module.failed": {
    "area": "module",
    "permission": "modules.view",
    "subject": "module_installation",
    "summary": "The installation of a module failed",
    "sentence": "Module {{module}} could not be installed on {{instance_name}}.",
    "example": {
      "module": "loot-manager",
      "instance_name": "main",
      "error_code": "agent_offline"
    }
  },
  "schedule.created": {
    "area": "schedule",
    "permission": "schedules.view",
    "subject": "schedule",
    "summary": "A schedule was created",
    "sentence": "Schedule {{name}} was created.",
    "example": {
      "name": "Nightly restart",
      "action": "restart",
      "instance_name": "main"
    }
  },
  "schedule.updated": {
    "area": "schedule",
    "permission": "schedules.view",
    "subject": "schedule",
    "summary": "A schedule was changed",
    "sentence": "Schedule {{name}} was changed.",
    "example": {
      "name": "Nightly restart",
      "action": "restart",
      "instance_name": "main"
    }
  },
  "schedule.deleted": {
    "area": "schedule",
    "permission": "schedules.view",
    "subject": "schedule",
    "summary": "A schedule was deleted",
    "sentence": "Schedule {{name}} was deleted.",
    "example": {
      "name": "Nightly restart",
      "action": "restart",
      "instance_name": "main"
    }
  },
  "schedule.run_started": {
    "area": "schedule",
    "permission": "schedules.view",
    "subject": "schedule",
    "summary": "A schedule began to carry out its action",
    "sentence": "Schedule {{name}} runs.",
    "example": {
      "run_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b11",
      "name": "Nightly restart",
      "status": "running",
      "due_at": "2026-11-21T10:10:00.000Z",
      "error_code": null
    }
  },
  "schedule.run_finished": {
    "area": "schedule",
    "permission": "schedules.view",
    "subject": "schedule",
    "summary": "A run of a schedule succeeded or failed",
    "sentence": "Schedule {{name}}: {{status}}.",
    "example": {
      "run_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b11",
      "name": "Nightly restart",
      "status": "succeeded",
      "due_at": "2026-11-21T10:10:00.000Z",
      "error_code": null
    }
  },
  "schedule.run_skipped": {
    "area": "schedule",
    "permission": "schedules.view",
    "subject": "schedule",
    "summary": "A run of a schedule was skipped",
    "sentence": "A run of schedule {{name}} was skipped.",
    "example": {
      "run_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b11",
      "name": "Nightly restart",
      "status": "skipped",
      "due_at": "2026-11-21T10:10:00.000Z",
      "error_code": null
    }
  },
  "map.uploaded": {
    "area": "map",
    "permission": "maps.view",
    "subject": "map",
    "summary": "A map was uploaded",
    "sentence": "Map {{name}} was uploaded.",
    "example": {
      "name": "Five islands",
      "size": 1048576,
      "requested_by": "owner@example.com"
    }
  },
  "map.updated": {
    "area": "map",
    "permission": "maps.view",
    "subject": "map",
    "summary": "A map was renamed, or its public address was created or ended",
    "sentence": "Map {{name}} was changed.",
    "example": {
      "name": "Five islands",
      "changed": [
        "is_public"
      ],
      "is_public": true
    }
  },
  "map.deleted": {
    "area": "map",
    "permission": "maps.view",
    "subject": "map",
    "summary": "A map was deleted",
    "sentence": "Map {{name}} was deleted.",
    "example": {
      "name": "Five islands"
    }
  },
  "map.deployed": {
    "area": "map",
    "permission": "maps.view",
    "subject": "map",
    "summary": "A map was copied to an instance",
    "sentence": "Map {{name}} was copied to {{instance_name}}.",
    "example": {
      "name": "Five islands",
      "instance_name": "main"
    }
  },
  "map.removed": {
    "area": "map",
    "permission": "maps.view",
    "subject": "map",
    "summary": "A map was removed from an instance",
    "sentence": "Map {{name}} was removed from {{instance_name}}.",
    "example": {
      "name": "Five islands",
      "instance_name": "main"
    }
  },
  "map.deployment_failed": {
    "area": "map",
    "permission": "maps.view",
    "subject": "map",
    "summary": "A map could not be copied to an instance",
    "sentence": "Map {{name}} could not be copied to {{instance_name}}.",
    "example": {
      "name": "Five islands",
      "instance_name": "main",
      "error_code": "disk_full"
    }
  },
  "webhook.created": {
    "area": "webhook",
    "permission": "webhooks.view",
    "subject": "webhook",
    "summary": "A webhook was created",
    "sentence": "Webhook {{name}} was created.",
    "example": {
      "name": "Pager"
    }
  },
  "webhook.updated": {
    "area": "webhook",
    "permission": "webhooks.view",
    "subject": "webhook",
    "summary": "The name, URL or events of a webhook were changed",
    "sentence": "Webhook {{name}} was changed.",
    "example": {
      "name": "Pager",
      "changed": [
        "url"
      ]
    }
  },
  "webhook.disabled": {
    "area": "webhook",
    "permission": "webhooks.view",
    "subject": "webhook",
    "summary": "A member or the platform disabled a webhook",
    "sentence": "Webhook {{name}} was disabled.",
    "example": {
      "name": "Pager",
      "reason": "No delivery has been accepted since 2026-11-21."
    }
  },
  "webhook.enabled": {
    "area": "webhook",
    "permission": "webhooks.view",
    "subject": "webhook",
    "summary": "A webhook was enabled",
    "sentence": "Webhook {{name}} was enabled.",
    "example": {
      "name": "Pager"
    }
  },
  "webhook.secret_rotated": {
    "area": "webhook",
    "permission": "webhooks.view",
    "subject": "webhook",
    "summary": "The secret of a webhook was rotated",
    "sentence": "The secret of webhook {{name}} was rotated.",
    "example": {
      "name": "Pager"
    }
  },
  "webhook.deleted": {
    "area": "webhook",
    "permission": "webhooks.view",
    "subject": "webhook",
    "summary": "A webhook was deleted",
    "sentence": "Webhook {{name}} was deleted.",
    "example": {
      "name": "Pager"
    }
  },
  "channel.created": {
    "area": "channel",
    "permission": "notifications.view",
    "subject": "channel",
    "summary": "A notification channel was created",
    "sentence": "Channel {{name}} was created.",
    "example": {
      "name": "Owner",
      "kind": "email"
    }
  },
  "channel.updated": {
    "area": "channel",
    "permission": "notifications.view",
    "subject": "channel",
    "summary": "A notification channel was changed",
    "sentence": "Channel {{name}} was changed.",
    "example": {
      "name": "Owner",
      "kind": "email"
    }
  },
  "channel.deleted": {
    "area": "channel",
    "permission": "notifications.view",
    "subject": "channel",
    "summary": "A notification channel was deleted",
    "sentence": "Channel {{name}} was deleted.",
    "example": {
      "name": "Owner",
      "kind": "email"
    }
  },
  "channel.failed": {
    "area": "channel",
    "permission": "notifications.view",
    "subject": "channel",
    "summary": "A notification could not be sent and was given up",
    "sentence": "Channel {{name}} failed.",
    "example": {
      "name": "Owner",
      "kind": "email",
      "detail": "The mail server refused the message."
    }
  },
  "site.updated": {
    "area": "site",
    "permission": "siteconfig.view",
    "subject": "license",
    "summary": "What the license shows on public pages was changed",
    "sentence": "The public pages were changed.",
    "example": {
      "version": 3
    }
  },
  "site.listing_updated": {
    "area": "site",
    "permission": "siteconfig.view",
    "subject": "instance",
    "summary": "How an instance is shown on public pages was changed",
    "sentence": "The public listing of {{instance_name}} was changed.",
    "example": {
      "instance_name": "main",
      "version": 3
    }
  }
} as const;

export type EventType = keyof typeof eventCatalogue;

/** The data of each type. */
export interface EventData {
  'instance.created': {
    instance_name: string;
    hostname: string | null;
    game: string | null;
    managed_by: string;
  };
  'instance.state_changed': {
    instance_name: string;
    from: string;
    to: string;
  };
  'instance.crashed': {
    instance_name: string;
    hostname: string;
    crashed_at: string;
  };
  'instance.updated': {
    instance_name: string;
    changed: readonly string[];
    cluster_id: string | null;
  };
  'instance.deleted': {
    instance_name: string;
    hostname: string | null;
  };
  'cluster.created': {
    name: string;
  };
  'cluster.updated': {
    name: string;
    changed: readonly string[];
  };
  'cluster.deleted': {
    name: string;
  };
  'host.enrolled': {
    hostname: string;
    platform: string;
  };
  'host.enrolment_code_created': {
    expires_at: string;
  };
  'host.online': {
    hostname: string;
    agent_version: string;
    silent_since: string | null;
  };
  'host.offline': {
    hostname: string;
    reason: string;
    instances: readonly { id: string; name: string }[];
  };
  'host.key_reset': {
    hostname: string;
    expires_at: string;
  };
  'host.deleted': {
    hostname: string;
  };
  'host.key_replaced': {
    hostname: string;
  };
  'command.created': {
    verb: string;
    instance_name: string | null;
    requested_by: string | null;
    expires_at: string;
  };
  'command.finished': {
    verb: string;
    instance_name: string | null;
    status: string;
    error_code: string | null;
    requested_by: string | null;
  };
  'player.joined': {
    steam_id: string;
    name: string;
    instance_name: string | null;
  };
  'player.left': {
    steam_id: string;
    name: string;
    instance_name: string | null;
  };
  'player.kicked': {
    action_id: string;
    steam_id: string;
    instance_name: string;
    reason: string | null;
    requested_by: string | null;
  };
  'player.banned': {
    action_id: string;
    steam_id: string;
    instance_name: string;
    reason: string | null;
    until: string | null;
    requested_by: string | null;
  };
  'player.unbanned': {
    action_id: string;
    steam_id: string;
    instance_name: string;
    requested_by: string | null;
  };
  'player.messaged': {
    action_id: string;
    steam_id: string;
    instance_name: string;
    message: string | null;
    requested_by: string | null;
  };
  'player.noted': {
    action_id: string;
    steam_id: string;
    instance_name: string;
    requested_by: string | null;
  };
  'player.action_failed': {
    action_id: string;
    kind: string;
    steam_id: string;
    instance_name: string;
    error_code: string | null;
    requested_by: string | null;
  };
  'wipe.planned': {
    instance_name: string;
    kind: string;
    countdown_seconds: number;
    seed: number | null;
    world_size: number | null;
    map_id: string | null;
    requested_by: string | null;
  };
  'wipe.phase_changed': {
    instance_name: string;
    from: string;
    to: string;
    due_at: string | null;
  };
  'wipe.completed': {
    wipe_id: string;
    instance_id: string | null;
    instance_name: string;
    kind: string;
    seed: number | null;
    world_size: number | null;
    map_id: string | null;
    requested_by: string | null;
  };
  'wipe.failed': {
    instance_name: string;
    kind: string;
    error_code: string | null;
    detail: string | null;
  };
  'wipe.rolled_back': {
    instance_name: string;
    kind: string;
    error_code: string | null;
    detail: string | null;
  };
  'wipe.cancelled': {
    instance_name: string;
    kind: string;
    error_code: string | null;
    detail: string | null;
  };
  'backup.created': {
    instance_name: string | null;
    kind: string;
    size: number;
    is_partial: boolean;
  };
  'backup.deleted': {
    instance_name: string | null;
    kind: string;
    size: number;
    is_partial: boolean;
  };
  'backup.restored': {
    instance_name: string | null;
    requested_by: string | null;
  };
  'backup.failed': {
    verb: string;
    instance_name: string | null;
    error_code: string | null;
    requested_by: string | null;
  };
  'backup.updated': {
    instance_name: string | null;
    changed: readonly string[];
    is_pinned: boolean;
  };
  'backup.policy_changed': {
    instance_name: string | null;
    keep: number;
  };
  'plugin.installed': {
    plugin: string;
    instance_name: string | null;
    requested_by: string | null;
  };
  'plugin.uninstalled': {
    plugin: string;
    instance_name: string | null;
    requested_by: string | null;
  };
  'plugin.loaded': {
    plugin: string;
    instance_name: string | null;
    requested_by: string | null;
  };
  'plugin.unloaded': {
    plugin: string;
    instance_name: string | null;
    requested_by: string | null;
  };
  'plugin.reloaded': {
    plugin: string;
    instance_name: string | null;
    requested_by: string | null;
  };
  'plugin.restored': {
    plugin: string;
    instance_name: string | null;
    requested_by: string | null;
  };
  'plugin.failed': {
    plugin: string;
    instance_name: string | null;
    requested_by: string | null;
    verb: string;
    error_code: string | null;
  };
  'config.created': {
    kind: string;
    name: string;
    version: number;
  };
  'config.updated': {
    kind: string;
    name: string;
    version: number;
  };
  'config.deleted': {
    kind: string;
    name: string;
    version: number;
  };
  'config.applied': {
    config_id: string | null;
    kind: string;
    instance_name: string | null;
    requested_by: string | null;
  };
  'config.application_failed': {
    config_id: string | null;
    kind: string;
    instance_name: string | null;
    requested_by: string | null;
    error_code: string | null;
  };
  'config.application_created': {
    config_id: string | null;
    kind: string;
    instance_name: string | null;
    requested_by: string | null;
  };
  'config.player_commands_cleared': {
    instance_name: string;
  };
  'alert.raised': {
    kind: string;
    severity: string;
    subject_name: string;
    hostname: string;
    metadata: Record<string, unknown>;
  };
  'alert.reopened': {
    kind: string;
    severity: string;
    subject_name: string;
    hostname: string;
    metadata: Record<string, unknown>;
  };
  'alert.recovered': {
    kind: string;
    severity: string;
    subject_name: string;
    hostname: string;
    metadata: Record<string, unknown>;
  };
  'alert.ended': {
    kind: string;
    severity: string;
    subject_name: string;
    hostname: string;
    metadata: Record<string, unknown>;
    reason: string;
  };
  'alert.acknowledged': {
    kind: string;
    severity: string;
    subject_name: string;
    acknowledged_by: string;
  };
  'alert.unacknowledged': {
    kind: string;
    severity: string;
    subject_name: string;
  };
  'alert.rules_changed': {
    version: number;
  };
  'member.invited': {
    email: string;
    role: string | null;
    expires_at: string;
  };
  'member.invitation_revoked': {
    email: string;
    role: string | null;
  };
  'member.joined': {
    email: string | null;
    role: string | null;
  };
  'member.role_changed': {
    email: string | null;
    role: string | null;
    former_role: string | null;
  };
  'member.removed': {
    email: string | null;
    role: string | null;
  };
  'role.created': {
    name: string;
    version: number;
  };
  'role.updated': {
    name: string;
    version: number;
  };
  'role.deleted': {
    name: string;
    version: number;
  };
  'key.created': {
    identifier: string;
    name: string;
    permissions: readonly string[];
    expires_at: string | null;
  };
  'key.revoked': {
    identifier: string;
    name: string;
  };
  'order.created': {
    steam_id: string;
    total: { amount: string; currency: string };
    provider: string;
    is_test: boolean;
  };
  'order.paid': {
    steam_id: string;
    status: string;
    former_status: string;
    total: { amount: string; currency: string };
    refunded: { amount: string; currency: string };
  };
  'order.failed': {
    steam_id: string;
    status: string;
    former_status: string;
    total: { amount: string; currency: string };
    refunded: { amount: string; currency: string };
  };
  'order.expired': {
    steam_id: string;
    status: string;
    former_status: string;
    total: { amount: string; currency: string };
    refunded: { amount: string; currency: string };
  };
  'order.refunded': {
    steam_id: string;
    status: string;
    former_status: string;
    total: { amount: string; currency: string };
    refunded: { amount: string; currency: string };
  };
  'order.partially_refunded': {
    steam_id: string;
    status: string;
    former_status: string;
    total: { amount: string; currency: string };
    refunded: { amount: string; currency: string };
  };
  'order.refund_failed': {
    steam_id: string;
    status: string;
    former_status: string;
    total: { amount: string; currency: string };
    refunded: { amount: string; currency: string };
  };
  'order.disputed': {
    steam_id: string;
    status: string;
    former_status: string;
    total: { amount: string; currency: string };
    refunded: { amount: string; currency: string };
  };
  'order.dispute_closed': {
    steam_id: string;
    status: string;
    former_status: string;
    total: { amount: string; currency: string };
    refunded: { amount: string; currency: string };
  };
  'order.problem_found': {
    status: string;
    problem: string;
  };
  'delivery.created': {
    order_id: string;
    item_name: string | null;
    kind: string;
    steam_id: string;
    instance_name: string;
  };
  'delivery.delivered': {
    order_id: string;
    item_name: string | null;
    kind: string;
    steam_id: string;
    instance_name: string;
    attempt_count: number;
    error_code: string | null;
  };
  'delivery.failed': {
    order_id: string;
    item_name: string | null;
    kind: string;
    steam_id: string;
    instance_name: string;
    attempt_count: number;
    error_code: string | null;
  };
  'delivery.uncertain': {
    order_id: string;
    item_name: string | null;
    kind: string;
    steam_id: string;
    instance_name: string;
    attempt_count: number;
    error_code: string | null;
  };
  'delivery.expired': {
    order_id: string;
    item_name: string | null;
    kind: string;
    steam_id: string;
    instance_name: string;
    attempt_count: number;
    error_code: string | null;
  };
  'delivery.cancelled': {
    order_id: string;
    item_name: string | null;
    kind: string;
    steam_id: string;
    instance_name: string;
    attempt_count: number;
    error_code: string | null;
  };
  'store.updated': {
    version: number;
    is_enabled: boolean;
  };
  'store.item_created': {
    name: string;
    is_enabled: boolean;
  };
  'store.item_updated': {
    name: string;
    is_enabled: boolean;
  };
  'store.item_deleted': {
    name: string;
    is_enabled: boolean;
  };
  'store.category_created': {
    name: string;
  };
  'store.category_updated': {
    name: string;
  };
  'store.category_deleted': {
    name: string;
  };
  'store.provider_connected': {
    provider: string;
    is_test: boolean;
  };
  'store.provider_disconnected': {
    provider: string;
    is_test: boolean;
  };
  'store.subscription_changed': {
    status: string;
    ends_at: string | null;
  };
  'license.created': {
    name: string;
    subdomain: string;
  };
  'license.updated': {
    name: string;
    subdomain: string;
    changed: readonly string[];
  };
  'license.key_replaced': {
    name: string;
  };
  'license.token_rotated': {
    name: string;
    former_token_expires_at: string | null;
  };
  'license.suspended': {
    name: string;
    by: string | null;
  };
  'license.resumed': {
    name: string;
  };
  'migration.imported': {
    parts: readonly string[];
  };
  'bill.charged': {
    module: string;
    amount: { amount: string; currency: string };
    period_start: string | null;
    period_end: string | null;
  };
  'subscription.started': {
    module: string;
    status: string;
    ends_at: string | null;
  };
  'subscription.renewed': {
    module: string;
    status: string;
    ends_at: string | null;
  };
  'subscription.past_due': {
    module: string;
    status: string;
    ends_at: string | null;
  };
  'subscription.cancelled': {
    module: string;
    status: string;
    ends_at: string | null;
  };
  'subscription.expired': {
    module: string;
    status: string;
    ends_at: string | null;
  };
  'subscription.reactivated': {
    module: string;
    status: string;
    ends_at: string | null;
  };
  'module.purchased': {
    module: string;
    amount: { amount: string; currency: string };
  };
  'module.installed': {
    module: string | null;
    instance_name: string | null;
  };
  'module.uninstalled': {
    module: string | null;
    instance_name: string | null;
  };
  'module.failed': {
    module: string | null;
    instance_name: string | null;
    error_code: string | null;
  };
  'schedule.created': {
    name: string;
    action: string | null;
    instance_name: string | null;
  };
  'schedule.updated': {
    name: string;
    action: string | null;
    instance_name: string | null;
  };
  'schedule.deleted': {
    name: string;
    action: string | null;
    instance_name: string | null;
  };
  'schedule.run_started': {
    run_id: string;
    name: string | null;
    status: string;
    due_at: string | null;
    error_code: string | null;
  };
  'schedule.run_finished': {
    run_id: string;
    name: string | null;
    status: string;
    due_at: string | null;
    error_code: string | null;
  };
  'schedule.run_skipped': {
    run_id: string;
    name: string | null;
    status: string;
    due_at: string | null;
    error_code: string | null;
  };
  'map.uploaded': {
    name: string;
    size: number;
    requested_by: string | null;
  };
  'map.updated': {
    name: string;
    changed: readonly string[];
    is_public: boolean;
  };
  'map.deleted': {
    name: string;
  };
  'map.deployed': {
    name: string | null;
    instance_name: string | null;
  };
  'map.removed': {
    name: string | null;
    instance_name: string | null;
  };
  'map.deployment_failed': {
    name: string | null;
    instance_name: string | null;
    error_code: string | null;
  };
  'webhook.created': {
    name: string;
  };
  'webhook.updated': {
    name: string;
    changed: readonly string[];
  };
  'webhook.disabled': {
    name: string;
    reason: string | null;
  };
  'webhook.enabled': {
    name: string;
  };
  'webhook.secret_rotated': {
    name: string;
  };
  'webhook.deleted': {
    name: string;
  };
  'channel.created': {
    name: string;
    kind: string;
  };
  'channel.updated': {
    name: string;
    kind: string;
  };
  'channel.deleted': {
    name: string;
    kind: string;
  };
  'channel.failed': {
    name: string | null;
    kind: string | null;
    detail: string | null;
  };
  'site.updated': {
    version: number;
  };
  'site.listing_updated': {
    instance_name: string | null;
    version: number;
  };
}
