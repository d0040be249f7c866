# Installs the Gantry agent on Windows:    & ([scriptblock]::Create((irm PLATFORM/install.ps1))) CODE
# Removes it, and no game data:            & ([scriptblock]::Create((irm PLATFORM/install.ps1))) -Uninstall
#
# What is verified before anything is installed: the executable has the SHA-256 that is written below, and, checked by
# the executable itself after that, the list of the release is signed with the key below (Ed25519). Both came with this
# script, so the script's own connection, HTTPS, is what you trust. Run it in a PowerShell as administrator.
param([string]$Code, [string]$HostName = $env:COMPUTERNAME, [switch]$Uninstall)
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$platformUrl = @PUBLIC_URL@
$version = @VERSION@
$releaseKey = @RELEASE_KEY@
$file = @FILE@
$sha256 = @SHA256@

$program = Join-Path $env:ProgramFiles 'Gantry Agent'
$data = Join-Path $env:ProgramData 'Gantry Agent'
$state = Join-Path $data 'state'
$settings = Join-Path $data 'gantry-agent.yaml'
$task = 'Gantry Agent'
$staging = Join-Path $env:ProgramFiles 'Gantry Agent.new'

$identity = [Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()
if (-not $identity.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
  throw 'gantry: this needs a PowerShell that was started as administrator'
}
$known = Get-ScheduledTask -TaskName $task -ErrorAction SilentlyContinue
if ($Uninstall) {
  if ($known) {
    Stop-ScheduledTask -TaskName $task
    Unregister-ScheduledTask -TaskName $task -Confirm:$false
  }
  if (Test-Path $program) { Remove-Item -Recurse -Force $program }
  Write-Output "gantry: the agent is removed; $data (with backups) and your game servers are left as they are"
  return
}
$isEnrolled = Test-Path (Join-Path $state 'enrolment.json')
if (-not $isEnrolled -and -not $Code) {
  throw 'gantry: usage: install.ps1 CODE [-HostName NAME]; a code is made under "Add a host" of the panel'
}
try {
  if (Test-Path $staging) { Remove-Item -Recurse -Force $staging }
  New-Item -ItemType Directory $staging | Out-Null
  foreach ($name in @($file, 'release.json', 'release.json.sig')) {
    Invoke-WebRequest -UseBasicParsing "$platformUrl/downloads/agent/$name" -OutFile (Join-Path $staging $name)
  }
  $agent = Join-Path $staging $file
  $found = (Get-FileHash -Algorithm SHA256 $agent).Hash.ToLowerInvariant()
  if ($found -ne $sha256) {
    throw "gantry: the download is not what this script expects (SHA-256 $found instead of $sha256): a proxy changed it, or there is a newer release; run the line again"
  }
  [IO.File]::WriteAllText((Join-Path $staging 'release-key.pem'), "$releaseKey`n")
  & $agent verify-release $staging | Out-Null
  if ($LASTEXITCODE -ne 0) { throw 'gantry: the signature of the release is wrong; nothing was installed' }

  # Only administrators and the agent's account may read the key and the settings of the host.
  New-Item -ItemType Directory -Force $state | Out-Null
  & icacls $data /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' '*S-1-5-18:(OI)(CI)F' '*S-1-5-19:(OI)(CI)F' | Out-Null
  if (-not $isEnrolled) {
    $Code | & $agent enroll --url $platformUrl --state $state --hostname $HostName
    if ($LASTEXITCODE -ne 0) { throw 'gantry: the host is not enrolled; nothing was installed' }
  }
  if (-not (Test-Path $settings)) {
    $lines = @("url: '$($platformUrl.Replace("'", "''"))'", "state_dir: '$state'", 'instances: []')
    [IO.File]::WriteAllText($settings, (($lines -join "`n") + "`n"))
  }
  if ($known) { Stop-ScheduledTask -TaskName $task }
  New-Item -ItemType Directory -Force $program | Out-Null
  Move-Item -Force $agent (Join-Path $program 'gantry-agent.exe')
  Move-Item -Force (Join-Path $staging 'release-key.pem') (Join-Path $program 'release-key.pem')
} finally {
  if (Test-Path $staging) { Remove-Item -Recurse -Force $staging }
}
$log = Join-Path $data 'agent.log'
$command = "/d /c `"`"$program\gantry-agent.exe`" --config `"$settings`" >> `"$log`" 2>&1`""
$registration = @{
  TaskName  = $task
  Force     = $true
  Action    = New-ScheduledTaskAction -Execute "$env:SystemRoot\System32\cmd.exe" -Argument $command
  Trigger   = New-ScheduledTaskTrigger -AtStartup
  Principal = New-ScheduledTaskPrincipal -UserId 'NT AUTHORITY\LOCAL SERVICE' -LogonType ServiceAccount
  Settings  = New-ScheduledTaskSettingsSet -ExecutionTimeLimit ([TimeSpan]::Zero) -RestartCount 999 `
    -RestartInterval (New-TimeSpan -Minutes 1) -MultipleInstances IgnoreNew
}
Register-ScheduledTask @registration | Out-Null
Start-ScheduledTask -TaskName $task
Write-Output "gantry: the agent $version runs as the scheduled task `"$task`"; its log: $log"
Write-Output "gantry: describe your game servers in $settings, then: Stop-ScheduledTask '$task'; Start-ScheduledTask '$task'"
