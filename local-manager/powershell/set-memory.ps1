# gantry: set-memory
# Sets the startup memory of the virtual machine, which is off.
$Vm = Get-VM | Where-Object { $_.Name -eq $Values.vmName } | Select-Object -First 1
if ($null -eq $Vm) { Write-Error -Message 'no such virtual machine' -ErrorId 'GantryVmMissing' }
$Memory = Get-VMMemory -VM $Vm
$Startup = [long]$Values.memoryBytes
if ($Memory.DynamicMemoryEnabled) {
  $Least = [Math]::Min([long]$Memory.Minimum, $Startup)
  $Most = [Math]::Max([long]$Memory.Maximum, $Startup)
  Set-VMMemory -VM $Vm -MinimumBytes $Least -StartupBytes $Startup -MaximumBytes $Most
} else {
  Set-VMMemory -VM $Vm -StartupBytes $Startup
}
@{ memoryStartupBytes = [long](Get-VMMemory -VM $Vm).Startup }
