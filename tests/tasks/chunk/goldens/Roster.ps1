<#
.SYNOPSIS
Who keeps watch tonight.
.EXAMPLE
Roster.ps1 -Night 2
#>
param([int]$Night = 1)
