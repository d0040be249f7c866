# gantry: cancel-import
# Has the running copy of the virtual machine stop; what it has copied is removed before the next one.
$Cancel = New-Object Threading.EventWaitHandle($false, [Threading.EventResetMode]::ManualReset, 'Global\GantryDuneImportCancel')
[void]$Cancel.Set()
@{ cancelled = $true }
