# Runs one script of the manager with its values and prints one line: the mark, then one JSON object.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$WarningPreference = 'SilentlyContinue'
[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)
$Values = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('<#values#>')) | ConvertFrom-Json
try {
  $Data = & {
<#work#>
  }
  $Answer = @{ ok = $true; data = $Data }
} catch {
  $Exception = $_.Exception
  $Answer = @{
    ok = $false
    error = @{
      message = "$($Exception.Message)"
      fqid = "$($_.FullyQualifiedErrorId)"
      hresult = $Exception.HResult
      category = "$($_.CategoryInfo.Category)"
    }
  }
}
[Console]::Out.WriteLine($Values.mark + ' ' + (ConvertTo-Json -InputObject $Answer -Depth 8 -Compress))
