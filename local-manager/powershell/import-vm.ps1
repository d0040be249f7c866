# gantry: import-vm
# Copies the vendor's virtual machine to its place and registers it, switched off.
if ($Values.destination -notmatch '^[A-Z]:\\DuneAwakeningServer$') { throw "not a place for it: $($Values.destination)" }
# Whoever started a copy may be gone while the copy goes on.
$Mutex = New-Object Threading.Mutex($false, 'Global\GantryDuneImport')
try { $IsFree = $Mutex.WaitOne(0) } catch [Threading.AbandonedMutexException] { $IsFree = $true }
if (-not $IsFree) { throw 'another copy is still being made; wait until it has ended' }
if (@(Get-VM | Where-Object { $_.Name -eq $Values.vmName }).Count -gt 0) { throw "there is one already: $($Values.vmName)" }
if (-not (Test-Path -LiteralPath $Values.destination)) { New-Item -ItemType Directory -Path $Values.destination | Out-Null }
# Tells a copy that was cut off from a folder that somebody needs.
$Note = [IO.Path]::Combine($Values.destination, 'gantry-copying.txt')
[IO.File]::WriteAllText($Note, 'The local manager copies the virtual machine here. A copy that was cut off is removed before the next one.')
$Disks = [IO.Path]::Combine($Values.destination, 'Virtual Hard Disks')
$Report = Compare-VM -Path $Values.vmcxPath -Copy -GenerateNewId -VirtualMachinePath $Values.destination -VhdDestinationPath $Disks
# Switches of the vendor's own machine are not here; the adapters are connected afterwards.
foreach ($Fault in @($Report.Incompatibilities)) {
  if ($Fault.MessageId -eq 33012) { $Fault.Source | Disconnect-VMNetworkAdapter } else { throw "$($Fault.Message)" }
}
$Cancel = New-Object Threading.EventWaitHandle($false, [Threading.EventResetMode]::ManualReset, 'Global\GantryDuneImportCancel')
[void]$Cancel.Reset()
$Job = Import-VM -CompatibilityReport $Report -AsJob
$Shown = -1
while (@('Completed', 'Failed', 'Stopped') -notcontains $Job.State.ToString()) {
  $Percent = @($Job.Progress | ForEach-Object { $_.PercentComplete }) | Select-Object -Last 1
  if ($null -ne $Percent -and $Percent -ge 0 -and $Percent -ne $Shown) {
    $Shown = $Percent
    [Console]::Out.WriteLine("$Mark-percent $Percent")
  }
  if ($Cancel.WaitOne(1000)) {
    Stop-Job -Job $Job
    Write-Error -Message 'the copy was cancelled' -ErrorId 'GantryCancelled'
  }
}
$Vm = Receive-Job -Job $Job -Wait
if ($Vm.Name -ne $Values.vmName) { Rename-VM -VM $Vm -NewName $Values.vmName }
[IO.File]::Delete($Note)
@{ id = "$($Vm.Id)"; memoryStartupBytes = [long]$Vm.MemoryStartup }
