# gantry: prepare-vm
# Gives the disk its full size, and has the machine boot from it.
$Vm = Get-VM | Where-Object { $_.Name -eq $Values.vmName } | Select-Object -First 1
if ($null -eq $Vm) { Write-Error -Message 'no such virtual machine' -ErrorId 'GantryVmMissing' }
$Disk = Get-VMHardDiskDrive -VM $Vm | Select-Object -First 1
if ($null -eq $Disk) { throw 'the virtual machine has no disk' }
$Wanted = [long]$Values.diskBytes
if ([long](Get-VHD -Path $Disk.Path).Size -lt $Wanted) { Resize-VHD -Path $Disk.Path -SizeBytes $Wanted }
Set-VMFirmware -VM $Vm -FirstBootDevice $Disk
@{ disk = "$($Disk.Path)" }
