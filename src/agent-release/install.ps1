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

# A 32-bit PowerShell calls another directory ProgramFiles.
$programFiles = if ($env:ProgramW6432) { $env:ProgramW6432 } else { $env:ProgramFiles }
$program = Join-Path $programFiles 'Gantry Agent'
$executable = Join-Path $program 'gantry-agent.exe'
$data = Join-Path $env:ProgramData 'Gantry Agent'
$state = Join-Path $data 'state'
$settings = Join-Path $data 'gantry-agent.yaml'
$task = 'Gantry Agent'
$staging = Join-Path $programFiles 'Gantry Agent.new'

$identity = [Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()
if (-not $identity.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
  throw 'gantry: this needs a PowerShell that was started as administrator'
}
if (-not [Environment]::Is64BitOperatingSystem) { throw 'gantry: the agent needs a 64-bit Windows' }
$known = Get-ScheduledTask -TaskName $task -ErrorAction SilentlyContinue

# The end of the task ends its loop, but not the agent that the loop has started. Game servers run on.
function Stop-Agent {
  if ($known) { Stop-ScheduledTask -TaskName $task }
  foreach ($process in @(Get-Process -Name 'gantry-agent' -ErrorAction SilentlyContinue)) {
    if ($process.Path -ne $executable) { continue }
    Stop-Process -Force -InputObject $process
    if (-not $process.WaitForExit(15000)) { throw "gantry: the agent with pid $($process.Id) does not end" }
  }
}

if ($Uninstall) {
  Stop-Agent
  if ($known) { Unregister-ScheduledTask -TaskName $task -Confirm:$false }
  if (Test-Path -LiteralPath $program) { Remove-Item -Recurse -Force -LiteralPath $program }
  Write-Output "gantry: the agent is removed; $data (with backups) and your game servers are left as they are"
  return
}
foreach ($process in @(Get-CimInstance Win32_Process)) {
  $isOther = $process.Name -like 'gantry-agent*' -and $process.ExecutablePath -ne $executable
  $isNode = $process.Name -eq 'node.exe' -and $process.CommandLine -match '(agent[\\/]src[\\/]main\.[jt]s|[\\/]gantry-agent)("|\s|$)'
  if ($isOther -or $isNode) {
    throw "gantry: an agent already runs with pid $($process.ProcessId); stop it first, a second one would start every server twice"
  }
}
$record = Join-Path $state 'enrolment.json'
$isEnrolled = Test-Path -LiteralPath $record
if (-not $isEnrolled -and -not $Code) {
  throw 'gantry: usage: install.ps1 CODE [-HostName NAME]; a code is made under "Add a host" of the panel'
}
if ($isEnrolled) {
  $enrolledAt = (Get-Content -Raw -LiteralPath $record | ConvertFrom-Json).url
  $configured = ''
  if (Test-Path -LiteralPath $settings) {
    $line = Select-String -LiteralPath $settings -Pattern '^url:\s*(.*?)\s*$' | Select-Object -First 1
    if ($line) { $configured = $line.Matches[0].Groups[1].Value.Trim([char[]]"'`"") }
  }
  if ($enrolledAt -ne $platformUrl -and $configured -ne $platformUrl) {
    throw "gantry: this host is enrolled at ${enrolledAt}: if that is another name of $platformUrl, write it as url into $settings; to move the host, run this script with -Uninstall and remove $record and $settings"
  }
}
# Everything until the enrolment happens in a directory of its own, so that a failure leaves the host unchanged.
$isNewData = -not (Test-Path -LiteralPath $data)
try {
  if (Test-Path -LiteralPath $staging) { Remove-Item -Recurse -Force -LiteralPath $staging }
  New-Item -ItemType Directory $staging | Out-Null
  foreach ($name in @($file, 'release.json', 'release.json.sig')) {
    $source = "$platformUrl/downloads/agent/$name"
    try {
      Invoke-WebRequest -UseBasicParsing $source -OutFile (Join-Path $staging $name)
    } catch {
      throw "gantry: $source could not be downloaded: $($_.Exception.Message)"
    }
  }
  $agent = Join-Path $staging $file
  $found = (Get-FileHash -Algorithm SHA256 -LiteralPath $agent).Hash.ToLowerInvariant()
  if ($found -ne $sha256) {
    throw "gantry: the download is not what this script expects (SHA-256 $found instead of $sha256): a proxy changed it, or there is a newer release; run the line again"
  }
  [IO.File]::WriteAllText((Join-Path $staging 'release-key.pem'), "$releaseKey`n")
  & $agent verify-release $staging | Out-Null
  if ($LASTEXITCODE -ne 0) { throw 'gantry: the signature of the release is wrong; nothing was installed' }
  $list = [IO.File]::ReadAllText((Join-Path $staging 'release.json'))
  if (-not $list.Contains($sha256)) { throw 'gantry: the signed list of the release does not name the executable; nothing was installed' }

  # Only administrators and the agent's account may read the key and the settings of the host.
  New-Item -ItemType Directory -Force $state | Out-Null
  & icacls.exe $data /inheritance:r /grant '*S-1-5-32-544:(OI)(CI)F' '*S-1-5-18:(OI)(CI)F' '*S-1-5-19:(OI)(CI)F' | Out-Null
  if ($LASTEXITCODE -ne 0) { throw "gantry: the rights of $data cannot be limited; nothing was installed" }
  if ($Code) {
    $Code | & $agent enroll --url $platformUrl --state $state --hostname $HostName
    if ($LASTEXITCODE -ne 0) { throw 'gantry: the host is not enrolled; nothing was installed' }
  }
  # From here on the platform knows this host by the key in the state directory.
  $isNewData = $false
  if (-not (Test-Path -LiteralPath $settings)) {
    $lines = @("url: '$($platformUrl.Replace("'", "''"))'", "state_dir: '$state'", 'instances: []')
    [IO.File]::WriteAllText("$settings.new", (($lines -join "`n") + "`n"))
    Move-Item -Force -LiteralPath "$settings.new" -Destination $settings
  }
  Stop-Agent
  New-Item -ItemType Directory -Force $program | Out-Null
  Move-Item -Force -LiteralPath $agent -Destination $executable
  Move-Item -Force -LiteralPath (Join-Path $staging 'release-key.pem') -Destination (Join-Path $program 'release-key.pem')
} finally {
  if (Test-Path -LiteralPath $staging) { Remove-Item -Recurse -Force -LiteralPath $staging -ErrorAction SilentlyContinue }
  if ($isNewData -and (Test-Path -LiteralPath $data)) { Remove-Item -Recurse -Force -LiteralPath $data }
}
# The task starts the agent again two seconds after its end. Windows restarts only tasks that it could not start.
$log = Join-Path $data 'agent.log'
$run = "`"$executable`" --config `"$settings`" >> `"$log`" 2>&1"
$command = "/d /s /c `"for /L %i in (0,0,1) do @($run & ping -n 3 127.0.0.1 > nul)`""
$registration = @{
  TaskName  = $task
  Force     = $true
  Action    = New-ScheduledTaskAction -Execute "$env:SystemRoot\System32\cmd.exe" -Argument $command
  Trigger   = New-ScheduledTaskTrigger -AtStartup
  Principal = New-ScheduledTaskPrincipal -UserId 'S-1-5-19' -LogonType ServiceAccount
  Settings  = New-ScheduledTaskSettingsSet -ExecutionTimeLimit ([TimeSpan]::Zero) -RestartCount 999 `
    -RestartInterval (New-TimeSpan -Minutes 1) -MultipleInstances IgnoreNew `
    -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
}
Register-ScheduledTask @registration | Out-Null
Start-ScheduledTask -TaskName $task
Write-Output "gantry: the agent $version runs as the scheduled task `"$task`"; its log: $log"
Write-Output "gantry: describe your game servers in $settings, then: Stop-Process -Name gantry-agent (the task starts it again)"
