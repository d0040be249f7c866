# gantry: start-vm
# Sets the startup memory, if one is given, and starts the virtual machine.
$Vm = Get-VM | Where-Object { $_.Name -eq $Values.vmName } | Select-Object -First 1
if ($null -eq $Vm) { Write-Error -Message 'no such virtual machine' -ErrorId 'GantryVmMissing' }
if ($null -ne $Values.memoryBytes) {
  $Memory = Get-VMMemory -VM $Vm
  $Startup = [long]$Values.memoryBytes
  if ($Memory.DynamicMemoryEnabled) {
    # Startup memory has to lie between the least and the most.
    $Least = [Math]::Min([long]$Memory.Minimum, $Startup)
    $Most = [Math]::Max([long]$Memory.Maximum, $Startup)
    Set-VMMemory -VM $Vm -MinimumBytes $Least -StartupBytes $Startup -MaximumBytes $Most
  } else {
    Set-VMMemory -VM $Vm -StartupBytes $Startup
  }
}
Start-VM -VM $Vm
@{ state = (Get-VM -Id $Vm.Id).State.ToString() }
